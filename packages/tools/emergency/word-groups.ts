import type { Language } from "@vitaline/contract";

/** Words that stand for each other in the phrases of signs. A group may have words of several words, but no other group. */
export const wordGroups: Record<Language, Readonly<Record<string, string>>> = {
  en: {
    fever:
      "101*|102*|103*|104*|105*|106*|fever|burning up|temperature|temp|hundred and one|hundred and two|hundred and three|hundred and four|hundred and five|one oh one|one oh two|one oh three|one oh four|one oh five|chills",
    rescue:
      "epipen|epi pen|epi|epinephrine|adrenaline|auto injector|autoinjector|auvi q|glucagon|gvoke|baqsimi|narcan|naloxone|nitro|nitroglycerin|diastat|nayzilam|valtoco|inhaler|nebulizer|albuterol|rescue medicine|rescue medication|rescue med",
    harm: "moaning|screaming in|trapped|not moving|isnt moving|wont move|cant move|cant feel|cant stand|cant get up|cant breathe|unconscious|passed out|pass out|knocked out|vomit*|throwing up|threw up|bone|bleeding bad|bleeding a lot|bleeding everywhere|lot of blood|blood everywhere|blood when|peeing blood|deformed|crooked|numb|blue|purple|white as|pale|gray|confused|loopy|woozy|faint|drowsy|really sleepy|chunk|short of breath|trouble breathing|shallow|wont wake|wont answer|talking funny|slurring|clean out|clear through|all the way through",
    mechanism:
      "fell|fall|fallen|dropped|landed|hit|struck|kicked|punched|crushed|pinned|came down|slammed|smashed|wreck|wrecked|crash|crashed|flipped|rolled over|thrown|bucked|stepped|jumped|dove|exploded|blew up|went off|stabbed|tore|ripped|shot|bitten|attacked|mauled|ran over|run over|rear ended|tripped|slipped|tipped|collapsed|beaten|jumped on|knocked",
    belly: "belly|stomach|abdomen|abdominal|gut|guts|tummy|side|ribs|spleen|midsection",
    muddled:
      "confus*|crazy|loopy|delirious|out of his head|out of her head|out of it|mumbl*|babbl*|rambl*|gibberish|nonsense|not making sense|making no sense|disorient*|hallucinat*|seeing things|doesnt know where|doesnt know who|dont know where|combative|fighting|slurr*|staggering|acting drunk|acting weird|acting strange|acting funny|acting off",
    woozy:
      "woozy|dizzy|lightheaded|light headed|swimmy|swimmy headed|wobbly|faint*|pass out|passing out|passed out|about pass*|go out|black out|blacked out|blacking out|collaps*|pale|white as|white like|gray|grey|ashen|clammy|cold sweat|sweat*|drenched|limp|about to drop|cant stand|seeing stars|going out",
    cannot:
      "cant|cannot|can not|can hardly|can barely|couldnt|could not|unable to|not able to|hard to|hardly|barely|scarcely|struggling to|struggles to|trying to|fighting to|wont|will not|cant seem to",
    sudden:
      "sudden|suddenly|all of a sudden|out of nowhere|out of the blue|just now|just started|just happened|just began|instantly|abruptly|within minutes|minutes ago|an hour ago|one hour ago|two hours ago|couple hours ago|hours ago|right now|when he woke|when she woke|when i woke|woke up",
    bodyverb:
      "read|see|speak|talk|walk|stand|move|feel|lift|hold|grip|button|write|remember|swallow|smile|hear|balance|recognize|understand|breathe|stay awake|sit up|raise|grab|focus|chew|use|control|work",
    limbs: "arm|leg|hand|foot|fingers|feet|knees|legs|arms|hands",
    head: "face|mouth|smile|speech|words|eyelid|pupil|pupils|tongue|lip|half|side",
    wrong:
      "odd|weird|wrong|funny|strange|different|off|droop*|slur*|sag*|numb*|weak*|paraly*|limp|drag*|crooked|lopsided|bigger|uneven|slack|twist*|garbled|drunk|drinking|dead|frozen|tingl*|asleep|useless|sideways|down|slow|thick|stiff|rubbery|not working|not moving|heavy|crossed|blown|fixed|unequal|dilated",
    noway: "no|any|no more|nothing|dont see|dont see any|dont have|cant see|cant find|theres no|is no|lost|without|zero|only",
    fully: "full|deep|good|proper|whole|big|single|real|normal|complete|enough|any",
    torso: "chest|breastbone|sternum|rib cage|ribcage|ribs|shoulder blades|heart|upper back|middle of my back",
    crush:
      "crush*|squeez*|vice|vise|band|belt|elephant|weight|pressing|pressure|tight*|heav*|grip*|clamp*|brick|bricks|anvil|sitting|standing on|ripping|tearing|knife|stab*|burning|constrict*|choking|fist|boulder|cinder|strap|girdle|corset|rope|clamp|chain|sat on|poker|wrench|wringing",
    ache: "pain|pains|hurt|hurts|hurting|ache|aches|aching|achy|pressure|tight|tightness|discomfort|sore|burning|throbbing",
    whose: "my|his|her|their|the|our|your|its|a",
    self: "myself|himself|herself|themselves|themself|yourself|my self|him self|her self",
    chest: "chest|breastbone|sternum|left arm|heart|ribcage",
    hurt: "pain|pains|painful|pressure|tight|tightness|tightening|tightens|heavy|heaviness|weight|hurt|hurts|hurting|ache|aches|aching|achy|burns|burning|crushing|crushed|squeeze|squeezes|squeezing|squeezed|stabbing|sharp|cramping|discomfort|ripping|tearing",
    breathe: "breathe|breathing|breath|breaths|breathes|air|inhale",
    face: "face|mouth|smile|cheek|lip|eyelid|facial",
    limb: "arm|arms|hand|hands|leg|legs|foot|side|body|fingers",
    side: "one side|left side|right side|half|one half|1 side|one arm|one leg",
    numb: "numb|numbness|weak|weakness|paraly*|droop|droops|drooping|droopy|drooped|drop|drops|dropping|dropped|sagging|crooked|tingling|limp|dead|frozen",
    toxic:
      "bleach|poison|antifreeze|detergent|cleaner|cleaners|cleaning|ammonia|gasoline|gas|kerosene|lighter fluid|lamp oil|pesticide|pesticides|insecticide|weed killer|rat bait|battery|batteries|magnet|magnets|chemical|chemicals|drano|lysol|bug spray|paint thinner|turpentine|hand sanitizer|sanitizer|mouthwash|perfume|nail polish remover|acetone|pool chlorine|chlorine|tide pod|pod|pods|dishwasher|laundry|mushroom|mushrooms|berries|lye|peroxide|acid|essential oil|nicotine|vape juice|mothball|mothballs|windex|pine sol|rubbing alcohol|pokeberry|pokeberries|nightshade|oleander|foxglove|castor beans|jimson|datura|hemlock|toadstool|toadstools|holly berries|elderberries|lantern oil|tiki oil|torch fuel|wart remover|toilet cleaner|drain opener|oven cleaner|stain remover|rust remover|rat poison|ant killer|roach killer|bug killer|fertilizer|super glue|paint|nail glue|eye drops|vaporub|camphor|menthol|e juice|vape|cigarette|cigarettes|cologne|aftershave|rubbing",
    medicine:
      "pill|pills|tablet|tablets|capsule|capsules|med|meds|medicine|medicines|medication|medications|tylenol|acetaminophen|ibuprofen|advil|aspirin|insulin|opioid|opioids|oxy|oxycodone|xanax|benadryl|vitamins|gummies|edible|edibles|melatonin|metformin|iron|antidepressants|painkillers|sleeping|adderall|fentanyl|heroin|methadone|heart medicine|gummy|methamphetamine|cocaine|drugs|ambien|percocet|vicodin|warfarin|digoxin|muscle relaxer|muscle relaxers|relaxers|flexeril|tizanidine|baclofen|gabapentin|trazodone|klonopin|ativan|valium|tramadol|norco|morphine|suboxone|lithium|seroquel|zoloft|prozac|lexapro|metoprolol|lisinopril|amlodipine|glipizide|eliquis|nyquil|dramamine|imodium|cough syrup|beta blocker|hydrocodone|clonidine|lorazepam|alprazolam|blood thinner|blood thinners|heart pill|heart pills|pressure pill|pressure pills|pain pill|pain pills|nerve pills|water pill|thyroid pill|sleep aid|coumadin|xarelto|antibiotic",
    swallowed:
      "swallowed|swallow|drank|drunk|drink|drinks|drinking|ate|eaten|eating|inhaled|ingested|took|taken|got into|gotten into|chewed|licked|bit into",
    someone:
      "i|he|she|they|we|my|baby|babys|son|daughter|child|kid|toddler|infant|newborn|husband|wife|mother|mom|mum|father|dad|grandma|grandpa|grandmother|grandfather|grandson|granddaughter|brother|sister|boyfriend|girlfriend|friend|man|woman|boy|girl|patient|neighbor|aunt|uncle|partner|roommate|someone|coworker",
    child:
      "baby|babys|newborn|infant|toddler|month old|week old|day old|weeks old|days old|little one|week olds|month olds|2 month old|3 month old|two month old|three month old|preemie",
    heavily:
      "a lot|lots|heavily|heavy|badly|bad|profusely|everywhere|out|nonstop|non stop|so much|too much|severely|uncontrollably|all over|through|hard|bright red|really bad|a ton|like crazy|like mad|pretty bad|pretty good|a bunch|buckets|like a faucet|like a stuck pig|every half hour|every hour|every twenty minutes|every thirty minutes|every ten minutes",
    pregnant: "pregnant|pregnancy|weeks along|months along|trimester|expecting|preggo|prego",
    swell:
      "swell|swells|swelling|swollen|swelled|swole|closing|closed|closes|close|tight|tightening|puffing|puffy|puffed|swelling up|blowing up|itchy and tight",
    badly: "bad|badly|severe|severely|terrible|horrible|awful|excruciating|unbearable|intense|extreme|worst",
    bill: "bill|price|cost|copay|deductible|premium",
    weapon: "gun|pistol|rifle|shotgun|revolver|handgun|rope|noose",
  },
  es: {
    rescue:
      "epipen|epinefrina|adrenalina|autoinyector|glucagon|narcan|naloxona|nitro|nitroglicerina|diastat|inhalador|nebulizador|salbutamol|albuterol|medicina de rescate|medicamento de rescate",
    aire: "aire|resuello|respir*|oxigeno|aliento|ahog*|sofoc*|asfixi*",
    harm: "no se mueve|no puede moverse|no puede parar*|no se puede parar*|no camina|no siente|inconsciente|desmay*|vomit*|hueso|mucha sangre|sangra*|sangrando|desangr*|chueco|chueca|torcido|torcida|dormido|dormida|morado|morada|palido|palida|blanco|confundid*|mareado|mareada|pedazo|colgando|atrapad*|prensad*|grita*|quejando*|aturdid*|no responde|no contesta|no reacciona|no despierta|no puede respirar|le cuesta respirar",
    mechanism:
      "cayo|cai|caido|callo|golpeo|golpe*|pego|pegue|choco|chocamos|choque|volco|volcamos|atropell*|aplasto|aplast*|machuco|machuc*|patada|pateo|mordio|arranco|exploto|revento|resbalo|resbale|tropezo|aventaron|tiraron|empujo|empujaron|prenso|clavo|corto|accidente",
    woozy: "mare*|desmay*|desvanec*|palid*|blanc*|sudand*|sudor|sud*|debil|tambale*|descompuest*|se va de lado|amarill*|frio",
    cannot:
      "no puedo|no puede|no podia|no pudo|no logro|no logra|no consigo|no consigue|apenas puedo|apenas puede|apenas|casi no puedo|casi no puede|casi no|no pueden|le cuesta|me cuesta|cuesta|batalla para|batallo para|con trabajo",
    sudden:
      "de repente|repente|de pronto|de golpe|de la nada|repentin*|subit*|hace rato|hace un rato|hace una hora|hace unos minutos|ahorita|ahora mismo|acaba de|acabo de|al despertar|cuando desperto|cuando se levanto",
    bodyverb:
      "leer|ver|hablar|caminar|pararse|pararme|mover|moverse|moverme|sentir|levantar|agarrar|sostener|abrochar|escribir|recordar|tragar|sonreir|oir|reconocer|entender|respirar|sentarse|tragar|apretar|usar|masticar|levantarse|levantarme|enfocar",
    limbs: "brazo|pierna|mano|pie|dedos|pies|piernas|brazos|manos",
    head: "cara|boca|sonrisa|habla|palabras|parpado|pupila|pupilas|lengua|labio|lado|mitad|ojo",
    wrong:
      "raro|rara|chuec*|torcid*|caid*|dormid*|adormec*|debil*|paraliz*|arrastr*|enredad*|trabad*|borrach*|muert*|hormigu*|colgand*|desviad*|grande|diferente*|tiesa|tieso|pesad*|colgad*|ladead*",
    torso: "pecho|esternon|costillas|corazon|torax|omoplatos|en medio de la espalda|paletas",
    crush:
      "aplasta*|aprieta*|apret*|oprim*|opres*|peso|pesa|pesad*|piedra|losa|banda|elefante|punzad*|ardor|quema*|desgarr*|cuchill*|presion*|apachurr*|estruj*|clava*",
    ache: "dolor|dolores|duele|duelen|doliendo|ardor|molestia|presion|punzada|punzadas",
    whose: "mi|su|el|la|los|las|un|una|mis|sus",
    chest: "pecho|corazon|brazo izquierdo|esternon|torax",
    hurt: "dolor|dolores|duele|duelen|dolido|dolia|doliendo|presion|opresion|opresivo|aprieta|apretado|apretando|apretada|aprieto|pesado|pesadez|peso|ardor|arde|punzada|punzadas|punzante|quemazon|oprime|oprimido|oprimiendo|apachurra|apachurrado|molestia",
    face: "cara|boca|rostro|sonrisa|labio|mejilla|parpado",
    limb: "brazo|brazos|mano|manos|pierna|piernas|pie|lado|cuerpo|costado|dedos",
    side: "un lado|lado izquierdo|lado derecho|medio lado|mitad|media cara|medio cuerpo|un brazo|una pierna",
    numb: "dormido|dormida|adormecido|adormecida|entumecido|entumecida|entumido|entumida|debil|debilidad|paraliz*|paralis*|caido|caida|chueca|chueco|torcida|torcido|colgada|colgando|desviada|muerto|muerta|hormigueo|adormece|adormecio|durmio|cayo|cae|entumecimiento|torcio|enchueco|fuerza",
    toxic:
      "cloro|lejia|veneno|anticongelante|detergente|limpiador|amoniaco|gasolina|kerosen|insecticida|pesticida|raticida|pila|pilas|bateria|baterias|iman|imanes|quimico|quimicos|thinner|aguarras|desinfectante|perfume|acetona|jabon|hongo|hongos|planta|acido|sosa|fabuloso|suavizante|pinol|alcohol|enjuague|capsula de detergente|matarratas|matahormigas|matamoscas|raid|baygon|clorox|pinesol|lysol|fertilizante|quitaesmalte|esmalte|colonia|tinte|pegamento|kola loca|pintura|naftalina|mercurio|cigarro|cigarros|colilla|gasoil|diesel|petroleo|varsol|tinner|thiner|amonia|destapacanos|limpiavidrios|limpiahornos|insecticidas|semillas|bayas",
    medicine:
      "pastilla|pastillas|tableta|tabletas|capsulas|capsula|medicina|medicinas|medicamento|medicamentos|tylenol|paracetamol|ibuprofeno|aspirina|aspirinas|insulina|droga|drogas|fentanilo|gomitas|vitaminas|pildora|pildoras|calmantes|antidepresivos|gotas|jarabe|antibiotico|relajantes|relajante|analgesico|clonazepam|tramadol|diazepam|melatonina|metformina|losartan|anticonceptivas|calmante|tafil|rivotril",
    swallowed:
      "trago|tragado|tomo|tomado|tome|bebio|bebido|comio|comido|ingirio|inhalo|inhalado|trague|bebi|chupo|mordio|comimos|comieron|bebieron|tomamos|probo|lamio|lambio|echo un trago|dio un trago|metio a la boca|metio en la boca|echo a la boca|chupando|masticando|mastico|comi|tomandose|comiendose",
    someone:
      "yo|el|ella|mi|bebe|hijo|hija|nino|nina|esposo|esposa|madre|mama|padre|papa|abuela|abuelo|hermano|hermana|novio|novia|amigo|amiga|senor|senora|tia|tio|vecino|vecina|marido|paciente|alguien|nieto|nieta",
    child:
      "bebe|recien nacido|recien nacida|meses de edad|semanas de nacido|dias de nacido|recien nacidos|bebita|bebito|beba|nena|nene|nenita|nenito|criatura|muchachito|muchachita|chamaquito|chamaquita",
    heavily:
      "mucho|mucha|demasiado|sin parar|abundante|abundantemente|bastante|muchisimo|muchisima|a chorros|tanto|por todos lados|fuerte|a montones|profusamente",
    pregnant: "embarazada|embarazo|embarazadas|gestacion|encinta|semanas de embarazo|meses de embarazo",
    swell:
      "hincha|hinchado|hinchada|hinchando|hinchados|hinchan|inflamada|inflamado|inflama|inflamando|cierra|cerrando|cerrado|cerrada|hincharon|hincho|cerro|inflo|hinchazon",
    badly: "fuerte|fuertes|fuertisimo|severo|severa|terrible|horrible|insoportable|insoportables|intenso|intensa|muy mal|agudo|peor",
    vomit: "vomit*|arroj*|gomit*|depon*|guacar*|trasboc*|devuelv*|devolv*",
    weapon: "pistola|rifle|escopeta|arma|revolver|cuchillo|navaja|soga|mecate",
  },
};
