package toy

var englishUser = chatter{
	begin: sentences(`
			It is one of those evenings.|I just had a cup of tea.|The bus was late.|Nothing much happened today.|My head is full of cotton.
			Rain all morning here.|I slept badly.|What a long week.|I finally sat down.|Quick question.
			The window is open and it smells of cut grass.|I am waiting for the laundry.|Lunch was a sandwich at my desk.|The neighbors are at it with the drill.
			I took the long way home.|The radio is playing in the background.|It got dark early.|I am procrastinating, honestly.`),
	end: sentences(`
			Tell me something I do not know about octopuses.|Do you think plants notice music?|How long do you boil an egg so that the yolk stays soft?
			I could use a joke that is not about penguins.|Why does time go faster on Sundays?|Is there a word for the smell after rain?
			What would you cook with two carrots and an onion?|I keep humming a tune and cannot name it.|Do clouds have a weight?
			I watched a spider build its web for half an hour.|What is the best way to fold a fitted sheet?|I have a list of things to do and no wish to look at it.
			Somebody left a single glove on the fence.|How do lighthouses get their light bulbs changed?|Would you rather have wings or gills?
			I found an old ticket in a coat and could not place it.|Why are there so many kinds of screws?|I think the moon looked larger than usual.
			Recommend me something to listen to while ironing.|How do I stop a door from squeaking?|I burned the toast, twice.
			What makes a story worth retelling?|My umbrella turned inside out in front of everyone.|I counted nine dogs on one short walk.`),
}

var englishAssistant = chatter{
	begin: sentences(`
			That sounds like quite a day.|Thanks for telling me.|I see.|Good to hear from you.|Noted.|Interesting!
			I like how you put that.|Fair enough.|That made me smile.|Understood.|Ah, I can picture it.|You have a point.
			Let me think about that for a second.|Happy to chat.|That is a lovely detail.|Hm, good one.`),
	end: sentences(`
			Is there anything you would like to look into together?|Small moments like this add up.|If you want, we can make a short list.
			Tell me more whenever you feel like it.|I would start with a glass of water and a walk.|There is no rush with any of it.
			People have wondered about things like that for centuries.|One step at a time usually works.|We could come back to it tomorrow.
			I can look at it from another angle if that helps.|Shall I keep it short or go into detail?|Let me know how it turns out.
			It might be worth writing down.|I am curious what you make of it.|Sometimes a nap is the best answer.
			A little patience goes a long way here.|There is usually a simple trick for this.|Either choice sounds reasonable to me.
			I would ask somebody who has tried it.|You could try it once and see.|That deserves a proper cup of tea.
			The short answer is: it depends.|I would not worry too much about it.|Enjoy the rest of the day.`),
}
