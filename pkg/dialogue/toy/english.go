package toy

var english = vocabulary{
	attributes: englishAttributes,
	roles:      englishRoles,
	personal: [types]factWords{
		{relation: "hometown", fact: "{p}'s hometown is {v}.", said: []string{
			"{p} grew up in {v} and has the stories to prove it.",
			"I heard a lot about {v} tonight, because that is where {p} comes from.",
			"{p} was born in {v}, which I found out over dinner.",
			"The childhood photos of {p} were all taken in {v}.",
			"For {p}, home will always mean {v}.",
		}},
		{relation: "job", fact: "{p} works as {a}.", said: []string{
			"{p} works as {a} and rarely complains about it.",
			"{p} earns a living as {a}, long hours included.",
			"I asked {p} what the job of {a} is like, day to day.",
			"{p} is {a} by trade, so the evening was full of work stories.",
			"On the form {p} wrote down one word for the profession: {v}.",
		}},
	},
	places: englishPlaces,
	jobs:   englishJobs,
	given:  englishGiven,
	family: englishFamily,
	name:   func(given, family string) string { return given + " " + family },
	user:   englishUser, assistant: englishAssistant, between: " ",
}

var englishAttributes = [attributes]attributeWords{
	{
		factWords: factWords{relation: "hometown", fact: "The user's hometown is {v}.", said: []string{
			"I grew up in {v}, in a house right behind the school.",
			"My parents raised all of us in {v}.",
			"Ask me where I come from and I will say {v}.",
		}},
		mention: []string{
			"People say you only understand your hometown from a distance.",
			"I had a dream about the streets where I grew up.",
			"Do you think a hometown leaves its mark on how people talk?",
		},
		current: "What is my hometown?",
		never:   neverWords{"elementary school", "Which elementary school did I go to?"},
	},
	{
		factWords: factWords{relation: "blood type", fact: "The user's blood type is {v}.", said: []string{
			"The donor card says my blood type is {v}.",
			"I gave blood this morning; for the record, I am {v}.",
			"The nurse read my blood type off the chart: {v}.",
		}},
		values: []string{"A positive", "A negative", "B positive", "B negative", "AB positive", "AB negative", "O positive", "O negative"},
		mention: []string{
			"There was a poster about blood donors at the clinic.",
			"I wonder how many people know their blood type by heart.",
			"A friend's kid is learning about blood groups in biology.",
		},
		current: "What is my blood type?",
		never:   neverWords{"blood pressure", "What was my last blood pressure reading?"},
	},
	{
		factWords: factWords{relation: "native language", fact: "The user's native language is {v}.", said: []string{
			"At home we only ever spoke {v}, so that is my native language.",
			"I count in {v} when nobody listens; it is my first language.",
			"My grandmother taught me to read in {v}, my mother tongue.",
		}},
		values: []string{"Portuguese", "Tagalog", "Hungarian", "Swahili", "Greek", "Finnish", "Bengali", "Welsh", "Polish", "Turkish", "Amharic", "Icelandic"},
		mention: []string{
			"They say you do arithmetic in your native language for life.",
			"I read that children can grow up with three first languages.",
			"An accent from the native language is nothing to be ashamed of.",
		},
		current: "What is my native language?",
		never:   neverWords{"sign language level", "Which level of sign language did I reach?"},
	},
	{
		factWords: factWords{relation: "allergy", fact: "The user is allergic to {v}.", said: []string{
			"Please remember that I am allergic to {v}.",
			"I had to send the dish back because of my allergy to {v}.",
			"The test at the doctor's confirmed my allergy: {v}.",
		}},
		values: []string{"peanuts", "shellfish", "birch pollen", "cat hair", "penicillin", "strawberries", "wasp stings", "latex", "sesame", "dairy", "soy", "house dust"},
		mention: []string{
			"Everybody at the table seemed to have some allergy to report.",
			"Menus should list allergens more clearly, I think.",
			"Allergy season makes the whole office sneeze.",
		},
		current: "What am I allergic to?",
		never:   neverWords{"antihistamine", "Which antihistamine do I take?"},
	},
	{
		factWords: factWords{relation: "birthday", fact: "The user's birthday is {v}.", said: []string{
			"My birthday is {v}, in case you plan a surprise.",
			"I turn one year older on {v}.",
			"The ticket had my date of birth on it, {v}, so the usher congratulated me.",
		}},
		values: []string{"January 19", "February 8", "February 27", "March 14", "April 3", "April 22", "May 11", "June 6", "June 30", "July 17", "August 9", "September 5", "October 12", "October 28", "November 15", "December 2"},
		mention: []string{
			"Birthdays sneak up on me, other people's most of all.",
			"What would you say is a good way to spend a birthday?",
			"There was a birthday party two floors up all night.",
		},
		current: "When is my birthday?",
		never:   neverWords{"hour of birth", "At what hour was I born?"},
	},
	{
		factWords: factWords{relation: "college major", fact: "The user's college major was {v}.", said: []string{
			"In college I majored in {v}, for better or worse.",
			"My degree is in {v}, framed and hanging in the hall.",
			"Four years of {v} at college taught me how to read slowly.",
		}},
		values: []string{"geology", "philosophy", "statistics", "art history", "mechanical engineering", "linguistics", "botany", "economics", "anthropology", "physics", "music theory", "nursing"},
		mention: []string{
			"My cousin cannot decide on a college major.",
			"Do majors matter ten years after college?",
			"The alumni magazine arrived and I leafed through it.",
		},
		current: "What was my college major?",
		never:   neverWords{"thesis title", "What was the title of my thesis?"},
	},
	{
		factWords: factWords{relation: "first instrument", fact: "The first instrument the user played was the {v}.", said: []string{
			"As a child I played the {v}, my first instrument.",
			"My first instrument was the {v}, and the neighbors suffered.",
			"At seven my parents handed me my first instrument, the {v}.",
		}},
		values: []string{"cello", "trumpet", "recorder", "accordion", "violin", "clarinet", "banjo", "flute", "xylophone", "harp", "mandolin", "trombone"},
		mention: []string{
			"I heard somebody practice scales through the wall.",
			"Every child should get to try an instrument, don't you think?",
			"The music school had its open day on Saturday.",
		},
		current: "What was the first instrument I played?",
		never:   neverWords{"music teacher", "What was the name of my music teacher?"},
	},
	{
		factWords: factWords{relation: "first pet", fact: "The user's first pet was {a}.", said: []string{
			"The first pet I ever had was {a}.",
			"When I was six we got {a}, my very first pet.",
			"My first pet was {a} that lived in the kitchen.",
		}},
		values: []string{"tortoise", "parakeet", "hamster", "border collie", "goldfish", "rabbit", "gecko", "tabby cat", "ferret", "beagle", "canary", "guinea pig"},
		mention: []string{
			"You never quite forget your first pet.",
			"The kids next door are begging for a pet.",
			"I walked past the animal shelter and slowed down.",
		},
		current: "What was my first pet?",
		never:   neverWords{"veterinarian", "Which veterinarian did we go to?"},
	},
	{
		factWords: factWords{relation: "job", fact: "The user works as {a}.", said: []string{
			"I work as {a}, and today was a long one.",
			"My job as {a} has me on my feet all day.",
			"Somebody at the party asked what I do, so I explained the life of {a}.",
			"Being {a} pays the rent, let me put it like that.",
			"My business card says {v}, in rather small letters.",
		}},
		mention: []string{
			"Work was on my mind all weekend.",
			"How do people know which job suits them?",
			"I read an article about careers that nobody plans.",
		},
		current: "What is my job?", previous: "What was my job before the current one?",
		never: neverWords{"salary", "How much do I earn?"},
	},
	{
		factWords: factWords{relation: "city", fact: "The user lives in {v}.", said: []string{
			"I live in {v}, ten minutes from the station.",
			"My apartment is in {v}, on a street with too many pigeons.",
			"The weather here in {v} has a mind of its own.",
			"You can send it to my address in {v}.",
			"From my balcony you can see half of {v}.",
		}},
		mention: []string{
			"Some cities are made for walking and others are not.",
			"Rents in cities are the topic of every dinner.",
			"I watched a documentary on how cities grow.",
		},
		current: "Which city do I live in?", previous: "Which city did I live in before?",
		never: neverWords{"house number", "What is my house number?"},
	},
	{
		factWords: factWords{relation: "gym", fact: "The user trains at {v}.", said: []string{
			"I train at {v} on Tuesdays and Fridays.",
			"My gym is {v}; the showers are cold and the people warm.",
			"I left my towel at the gym, at {v}, of course.",
			"My membership card for {v} lives in my coat pocket.",
			"At {v}, where I work out, they play awful music.",
		}},
		values: []string{
			"Iron Harbor", "Granite Works", "The Lifting Loft", "North Pier Fitness", "Pulse House", "Copper Barbell", "Summit Room", "Kettle & Bar",
			"Riverside Strength", "Anvil Club", "Second Wind Gym", "Blue Mat Studio", "Flatiron Athletics", "Oak Street Gym", "Momentum Hall", "The Sweat Shed",
			"Tidewater Fitness", "Red Brick Boxing", "Corner Gym", "Atlas Yard",
		},
		mention: []string{
			"The hardest part of any workout is leaving the couch.",
			"Gyms must love the month of January.",
			"Is it better to exercise before breakfast or after?",
		},
		current: "Which gym do I go to?", previous: "Which gym did I go to before?",
		never: neverWords{"locker code", "What is the code of my locker?"},
	},
	{
		factWords: factWords{relation: "car", fact: "The user drives {a}.", said: []string{
			"I drive {a}, and it needs a wash.",
			"My car is {a}, parked under the only lamp in the street.",
			"I spent the morning vacuuming my car, {a} full of crumbs.",
			"With {a} like mine, every parking spot looks small.",
			"The mechanic knows my {v} by its sound.",
		}},
		values: []string{
			"Honda Civic", "Subaru Outback", "Toyota Corolla", "Ford Fiesta", "Volvo V60", "Mazda CX-5", "Skoda Octavia", "Kia Niro", "Hyundai Kona",
			"Renault Clio", "Nissan Leaf", "Fiat Panda", "Peugeot 308", "Volkswagen Golf", "Jeep Renegade", "Opel Astra", "Mini Cooper", "Dacia Duster", "Chevrolet Bolt", "Seat Ibiza",
		},
		mention: []string{
			"Traffic was at a standstill for half an hour.",
			"Do cars really need that many buttons?",
			"A neighbor spends every Sunday polishing the car.",
		},
		current: "Which car do I drive?", previous: "Which car did I drive before?",
		never: neverWords{"license plate", "What is my license plate?"},
	},
	{
		factWords: factWords{relation: "phone", fact: "The user's phone is {a}.", said: []string{
			"My phone is {a}, with a crack in one corner.",
			"I am typing this on my phone, {a}.",
			"The photos from the lake were taken on my {v}.",
			"My {v} died in the middle of a call.",
			"Somebody else had {a} exactly like mine, and we mixed them up.",
		}},
		values: []string{
			"Pixel 7", "Pixel 8a", "Pixel 9", "iPhone 12", "iPhone SE", "iPhone 14", "iPhone 15", "Galaxy S21", "Galaxy S23", "Galaxy A54",
			"Motorola Edge", "Realme 12", "Fairphone 4", "Fairphone 5", "Moto G84", "Nokia G42", "Poco F5", "Galaxy M34", "Zenfone 10", "Redmi Note 12",
		},
		mention: []string{
			"Phones at the dinner table should be forbidden.",
			"I tried to spend a day without looking at a phone.",
			"Why do phone chargers always vanish?",
		},
		current: "Which phone do I have?", previous: "Which phone did I have before?",
		never: neverWords{"phone number", "What is my phone number?"},
	},
	{
		factWords: factWords{relation: "favorite restaurant", fact: "The user's favorite restaurant is {v}.", said: []string{
			"My favorite restaurant is {v}; order the soup.",
			"We ended up at {v}, my favorite place to eat.",
			"If anyone asks me where to eat, I say {v}.",
			"No restaurant makes me as happy as {v} does.",
			"The best table in town, for my taste, is at {v}.",
		}},
		values: []string{
			"Copper Ladle", "Saffron Door", "Two Herons", "Juniper Table", "Blue Lantern", "Salt & Thyme", "Little Anchor", "Casa Olivo", "Paper Crane", "Old Mill Kitchen",
			"Fig and Fennel", "Golden Carp", "Marble Oven", "Night Heron Diner", "Pepper Tree", "Harvest Moon Grill", "Lemon Yard", "Stone Soup House", "Velvet Radish", "Wild Rice Room",
		},
		mention: []string{
			"Eating out gets more expensive every month.",
			"I could read restaurant reviews all evening.",
			"Where do cooks go on their night off, I wonder.",
		},
		current: "What is my favorite restaurant?", previous: "What was my favorite restaurant before the current one?",
		never: neverWords{"favorite dish", "What is my favorite dish?"},
	},
	{
		factWords: factWords{relation: "hobby", fact: "The user's hobby is {v}.", said: []string{
			"My hobby is {v}, and it eats up my weekends.",
			"All my spare time goes into {v}.",
			"I would talk about {v} for hours, as one does about a hobby.",
			"On a free afternoon you will find me busy with {v}.",
			"My family rolls their eyes at my passion for {v}.",
		}},
		values: []string{
			"birdwatching", "rock climbing", "woodcarving", "beekeeping", "stargazing", "sea kayaking", "model trains", "bread baking", "orienteering", "bonsai",
			"origami", "fly fishing", "mushroom foraging", "film photography", "crossword puzzles", "fencing", "bookbinding", "quilting", "archery", "chess",
		},
		mention: []string{
			"A hobby should never feel like a second job.",
			"I admire people who stick to one hobby for life.",
			"The craft fair was packed with enthusiasts.",
		},
		current: "What is my hobby?", previous: "What was my hobby before the current one?",
		never: neverWords{"hobby budget", "How much do I spend on my hobby each month?"},
	},
	{
		factWords: factWords{relation: "evening class", fact: "The user takes an evening class in {v}.", said: []string{
			"On Wednesdays I take an evening class in {v}.",
			"My evening class is {v}, and I never do the homework.",
			"The teacher of my {v} class let us out early.",
			"Night school for me means {v}, in a room that smells of chalk.",
			"I met half of my acquaintances in my evening class, {v}.",
		}},
		values: []string{
			"pottery", "Spanish", "Italian", "bookkeeping", "watercolor", "creative writing", "first aid", "web design", "tango", "Japanese",
			"improv theater", "yoga", "astronomy", "furniture repair", "choir singing", "public speaking", "Thai cooking", "calligraphy", "sewing", "screen printing",
		},
		mention: []string{
			"The brochure of the adult education center is thick as a brick.",
			"Learning in the evening takes stamina.",
			"I like classrooms better as an adult.",
		},
		current: "Which evening class do I take?", previous: "Which evening class did I take before?",
		never: neverWords{"classroom", "In which room is my evening class?"},
	},
}

var englishRoles = [roles]roleWords{
	{
		factWords: factWords{relation: "partner", fact: "The user's partner is {p}.", said: []string{
			"My partner {p} and I cooked together tonight.",
			"I asked my partner for advice, and {p} had plenty.",
			"{p}, my partner, sends regards.",
			"Breakfast in bed, courtesy of {p}, the partner of my dreams.",
			"As my partner, {p} hears all of this twice.",
		}},
		mention: []string{
			"Being somebody's partner is a skill in itself.",
			"I have been thinking about what makes a good partner.",
			"Partners should not have to like the same films.",
		},
		current: "Who is my partner?", previous: "Who was my partner before?",
		hop: [types]string{"What is my partner's hometown?", "What does my partner do for a living?"},
	},
	{
		factWords: factWords{relation: "best friend", fact: "The user's best friend is {p}.", said: []string{
			"My best friend {p} came over with a cake.",
			"There is nobody I trust like {p}, my best friend.",
			"{p} is my best friend and knows when to be quiet.",
			"I told everything to my best friend, that is to say to {p}.",
			"A best friend like {p} picks you up at the airport at four.",
		}},
		mention: []string{
			"What turns a friend into a best friend?",
			"Best friends can be silent together, people say.",
			"A song about best friends was on the radio.",
		},
		current: "Who is my best friend?", previous: "Who was my best friend before?",
		hop: [types]string{"What is my best friend's hometown?", "What does my best friend do for a living?"},
	},
	{
		factWords: factWords{relation: "boss", fact: "The user's boss is {p}.", said: []string{
			"My boss {p} cancelled the Monday meeting.",
			"I report to {p}, a boss who answers mail at night.",
			"{p}, who is my boss, praised the report.",
			"The boss signs my vacation form, so I went to see {p}.",
			"Working for a boss like {p} keeps me awake.",
		}},
		mention: []string{
			"Good bosses are rarer than good ideas.",
			"How honest can one be with a boss?",
			"There is a comedy about terrible bosses that I like.",
		},
		current: "Who is my boss?", previous: "Who was my boss before?",
		hop: [types]string{"What is my boss's hometown?", "What is my boss's job?"},
	},
	{
		factWords: factWords{relation: "roommate", fact: "The user's roommate is {p}.", said: []string{
			"My roommate {p} sings in the shower.",
			"I share the apartment with {p}, a very tidy roommate.",
			"{p} is my roommate, so we split the bills.",
			"The kitchen was clean for once, thanks to my roommate {p}.",
			"I knocked on my roommate's door and {p} was asleep.",
		}},
		mention: []string{
			"Sharing a flat with a roommate takes patience.",
			"Roommates and dishes: an old story.",
			"A roommate can be closer than family, some say.",
		},
		current: "Who is my roommate?", previous: "Who was my roommate before?",
		hop: [types]string{"What is my roommate's hometown?", "What does my roommate do for a living?"},
	},
}
