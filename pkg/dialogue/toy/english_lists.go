package toy

var englishPlaces = words(`
Portland, Salem, Tucson, Boise, Omaha, Dayton, Fargo, Tulsa, Albany, Duluth, Savannah, Spokane, Lincoln, Madison,
Raleigh, Reno, Eugene, Topeka, Mobile, Lubbock, Knoxville, Roanoke, Wichita, Flagstaff, Santa Fe, Burlington, Concord, Bangor,
Ithaca, Toledo, Akron, Peoria, Dubuque, Missoula, Billings, Cheyenne, Laramie, Provo, Fresno, Modesto, Stockton, Bakersfield,
Galveston, Waco, Amarillo, Shreveport, Biloxi, Chattanooga, Asheville, Charleston, Norfolk, Scranton, Erie, Syracuse, Utica, Hartford,
New Haven, Providence, Worcester, Nashua, Halifax, Moncton, Regina, Saskatoon, Winnipeg, Kelowna, Victoria, Sudbury, Leeds, Bristol,
Norwich, Exeter, Dundee, Swansea, Cardiff, Galway, Cork, Limerick, Derby, Hull, Ipswich, Plymouth, Inverness, Aberdeen,
Ghent, Utrecht, Leiden, Bremen, Leipzig, Kassel, Graz, Linz, Bern, Lyon, Nantes, Dijon, Grenoble, Toulouse,
Bilbao, Girona, Cadiz, Porto, Braga, Turin, Verona, Trieste, Bari, Palermo, Aarhus, Odense, Malmo, Uppsala,
Bergen, Tromso, Tampere, Turku, Tartu, Riga, Vilnius, Gdansk, Wroclaw, Krakow, Brno, Szeged, Zagreb, Split,
Hobart, Cairns, Ballarat, Geelong, Dunedin, Nelson, Napier, Suva, Durban, Nairobi, Accra, Kumasi, Kigali, Arusha,
Quito, Cusco, Cordoba, Rosario, Mendoza, Curitiba, Recife, Medellin, Oaxaca, Puebla, Merida, Leon
`)

var englishJobs = words(`
accountant, acupuncturist, archivist, art restorer, auctioneer, audiologist, auditor, baker, barber, bartender, biologist, blacksmith, bookseller,
botanist, bricklayer, bus driver, butcher, camera operator, carpenter, cartographer, chef, chemist, civil engineer, claims adjuster, clockmaker, coach,
copywriter, court reporter, crane operator, curator, data analyst, dental hygienist, dentist, dietitian, diver, dog trainer, editor, electrician,
farmer, ferry pilot, film editor, firefighter, fishmonger, florist, forester, game designer, gardener, geologist, glassblower, goldsmith,
graphic designer, grocer, harbor master, horse trainer, illustrator, instrument maker, insurance broker, interpreter, janitor, jeweler, journalist, judge,
kindergarten teacher, lab technician, landscaper, lawyer, librarian, lifeguard, locksmith, logistics planner, machinist, mail carrier, marine biologist, mason,
mechanic, midwife, miller, museum guide, music therapist, notary, nurse, nutritionist, optician, organ builder, paramedic, park ranger,
pastry cook, pediatrician, pharmacist, photographer, physiotherapist, piano tuner, plasterer, plumber, potter, printer, probation officer, proofreader,
psychologist, puppeteer, radiographer, real estate agent, receptionist, roofer, saddler, sailmaker, school principal, seamstress, set designer, shepherd,
shoemaker, social worker, software tester, sommelier, sound engineer, speech therapist, stage manager, stonecutter, surveyor, switchboard operator, tailor, tax adviser,
taxi driver, tiler, train conductor, translator, travel agent, tree surgeon, truck driver, tutor, upholsterer, veterinary nurse, waiter, warehouse manager,
watchmaker, weaver, welder, window cleaner, winemaker, zookeeper
`)

var englishGiven = words(`
Alex, Priya, Maren, Tobias, Leonie, Callum, Ingrid, Dario, Noemi, Felix, Hazel, Idris, Juno, Kiran, Lena, Marco,
Nadia, Orson, Petra, Quentin, Rosa, Silas, Tamsin, Umar, Vera, Wesley, Ximena, Yusuf, Zara, Anselm, Bettina, Cyrus,
Delia, Ewan, Farah, Gideon, Helena, Ivo, Jasmin, Kofi, Lucia, Milo, Nils, Odette, Pablo, Ramona, Soren, Thea,
Ulrich, Violet, Winona, Yara, Zeno, Amara, Boris, Carmen, Dmitri, Elsa, Fabian, Greta, Hugo, Irene, Joaquin, Kenji,
Lydia, Mateo, Nora, Oskar, Paloma, Rafael, Sunita, Theo, Ursula, Viktor, Willa, Yasmin, Zoltan, Astrid, Bruno, Celeste,
Dominic, Esme, Flora, Gavin, Harriet, Imani, Jonas, Kamila, Linus, Mirela, Nikhil, Olena, Percy, Ronja, Samir, Tilda,
Vasco, Wanda, Yannick, Zelda, Aiko, Benoit, Clara, Desmond, Elif, Franka, Gustav, Hana
`)

var englishFamily = words(`
Kim, Okafor, Lindqvist, Haddad, Moreau, Petrov, Castellan, Nakagawa, Brandt, Silveira, Whitlock, Aldana, Bergstrom, Chaudhry, Dunmore, Eriksen,
Fairweather, Galindo, Hollis, Ibrahim, Jankowski, Karlsen, Lombardi, Mbeki, Novak, Ostrander, Pemberton, Quimby, Rasmussen, Santangelo, Thackeray, Ueda,
Vandermeer, Winslow, Yilmaz, Zielinski, Abernathy, Bianchi, Calloway, Drummond, Espinosa, Fontaine, Grimaldi, Hartwell, Isaksen, Jamison, Kowalski, Lachlan
`)
