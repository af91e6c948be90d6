import { anyHour as hours } from "../../numbers.ts";
import type { CueSources } from "./cues.ts";

const weekday = "(?:mon|tues|wednes|thurs|fri|satur|sun)day";
const day = `${weekday}s?|tomorrow|today|tonight|mornings?|afternoons?|evenings?|nights?|weekends?|week|weekdays?`;
const named = `(?:(?:on|in|at|for|the|this|next|any|a) )*(?:${day})(?: (?:morning|afternoon|evening|night)s?)?`;
const ordinal = "(?:[a-z]+ )?(?:first|second|third|[a-z]+th|\\d{1,2}(?:st|nd|rd|th))";
const wanting = "coming|calling|looking|hoping|thinking|needing|wanting|wondering|trying|leaning|asking|going|aiming|shooting";
const count = "(?:an?|one|two|three|four|five|six|seven|eight|nine|ten|\\d+|few|several|couple)";

const wishes =
  "can|could|cant (?:i|you|we)|want|wanna|needs?|needed|reckon|figure|wanted|would|d|prefer|like|love|hope|hoping|was (?:hoping|thinking|wondering|looking|told|supposed)|were (?:hoping|thinking)|mean|meant|said|guess|think|thought|suppose|believe|wonder|will|ll|might|may|should|choose|pick(?! up)|vote|do (?:better|best|mornings|afternoons)|dont (?:care|mind|know)|do ?nt (?:care|mind|know)|(?:only|just) (?:have|got|get)(?= (?:from|between|an hour|a window|mornings|afternoons|evenings) )|(?:only |just )?have (?:(?:only|just|until|till|time|nothing|free|off) ?)*(?:DAYS|until|time|nothing)";
const wishing = wishes.replace("DAYS", `(?:every |all day )?(?:${day})`);
const states =
  "(?:(?:only|usually|always|normally|typically|mostly|generally|totally|pretty|also|still|just|kinda|really) )*(?:free|available|open|easy|wide open|clear|off|good|ok|okay|fine|better|flexible|looking|thinking|hoping|trying|calling (?:to|about|because|for|in)|wondering|wanting|able|here|home|in town|gonna need|gonna say|going to need|going to say|supposed|due (?:in|for|back))";
const others = "(?:i|we|she|he|they|you)";
const verbs =
  "is|are|was|has|had|have|gets?|got|gotta|works|starts|ends|finishes|begins|drives|picks|comes|goes|needs|resets|runs|ran|kicks|leaves|opens|closes|takes|took|hurts|hurt|lets|turns|expires|flies|arrives|lives|watches|passed|died|moved|keeps|graduates|marries|turns|only";
const relative = `(?:(?!(?:${day}|${verbs}|can|could|will|would|wants?|needs?|said|says)(?: |$))[a-z]+ ){1,3}`;
const busy =
  "busy|slammed|swamped|working|on the road|on a (?:cruise|trip|job|business trip)|in the hospital|in rehab|overseas|babysitting|traveling|subbing|volunteering|hosting|at work|out of town|out of the|out of state|away|gone|booked|tied up|unavailable|not (?:free|available|here|around)|travell?ing|on vacation|in (?:class|school|dialysis|court|surgery)|at (?:school|church|dialysis|the|my)|out";
const duties =
  "work|class|classes|church|school|dialysis|therapy|chemo|court|plans|choir|stuff|practice|jury duty|something|another|a (?:meeting|thing|class|funeral|wedding|shift|conference|game|trip|flight)|the (?:kids|baby|grandkids|grandbabies)|an (?:appointment|exam|interview)|(?:my|the) (?:kids|grandkids|grandbabies|dialysis|therapy|class|shift)|bible study|bingo";

const familiar =
  "husband|wife|mom|mother|dad|father|son|daughter|sister|brother|kid|children|grand[a-z]+|boss|neighbor|babysitter|sitter|bus|ride|van|car|truck|school|daycare|work|church|pick ?up|drop ?off|insurance|deductible|coverage|medicare|medicaid|practice|lunch|shift|class|bingo|court|company|garbage day|finals|pharmacy|bank|office|store|post office|library|clinic|courthouse|milking|feeding|rehearsal|choir|mass|game|kickoff|train|metro|taxi|uber|nurse aide|aide|caregiver";

export const englishCues: CueSources = [
  [
    "end",
    ",+(?: ,)*",
    "if (?:thats|that is|its|it is|theyre|that one is|those are) (?:not |all )?(?:full|taken|booked|available|open|gone|unavailable)(?: up)?",
    "so (?:bad|badly|much|sick)(?! (?:for|to))",
    "if (?:youve got|(?:you|yall) (?:have|got|do have)) (?:it|that|one|anything|something)(?: open)?",
    "(?<=(?:closed|open|busy|off|out|working|work|free) )(?:then|that day|that early|that late|at that time|(?:on )?those days)(?: (?:, )?(?:right|huh|are you|arent you))?",
    "(?:except|but)(?: that)?(?= (?:i|we|she|he) (?:only|just) )",
    "(?:or )?(?:are|will|do) (?:you|yall|you guys|the office|they) (?:be |even |still |all )?(?:open|closed|working|off)(?: (?:then|that day|for the holiday))?(?= ?$)",
    `(?:i |we )(?:do ?nt|does ?nt) work(?! (?:for|with|well|out|that|on that))`,
    `(?:i |ive |we )?(?:have|took|take|got)(?: got)?(?: (?:the|a) day off(?: on)?|(?= (?:${day})(?:(?: the [a-z]+| and| or| ,)* (?:${day}))*(?: the [a-z]+)? (?:off|free|open)(?: |$)))`,
    "not (?:too|so|super|very|real|really|that|quite|all that) (?:early|late|soon|far|picky|sure|important)",
  ],
  [
    "wish",
    "the (?:sooner|earlier|quicker|faster) the better|sooner rather than later",
    "if not(?: then)?",
    "can do",
    "(?:ill|i will|im|i am|i) (?:leave|leaving|gonna leave) (?:it|that) (?:up )?to (?:you|yall)",
    "(?:i )?do ?nt (?:really )?have (?:a|any|much of a) (?:real )?preference",
    "(?:any ?time |some ?time |right )?(?:before|after) (?:that(?! [a-z]+day)|then)",
    "(?:and |who )?needs? (?:her|his|their|to|an?|it)",
    "(?:my|our) (?!insurance|pharmacy|job|work|school)[a-z]+(?: in law)? (?:said|says|thinks|suggested|recommended|prefers)(?! (?:she|he|they|it)(?: |$))|i (?:already |just )?(?:told (?:you|them|her|him|yall)|said)",
    "(?:i|we|ive|weve|i will|ill)(?: have| got| have got| only have)?(?= (?!to |a |an |my |the kids)(?:(?!work|class|school|and|but|so)[a-z0-9:]+ ){1,5}(?:off|free|open|clear)(?: |$))(?<=have|got|ive|weve)",
    `my (?:husband|wife|son|daughter|mom|dad|sister|brother|boss|ride|friend|neighbor)s? (?:is )?(?:off|home|free|available)(?= (?:(?:on|all|every|next|this|the) )*(?:${day})(?: |$))`,
    "(?:does|do) (?:she|he|they|the doctor|dr [a-z]+|you|yall) (?:work|come in|see patients)(?: on)?",
    "(?:when|once|after) i get off(?: of)? work(?! (?:at|around))",
    `not (?:this |the )?(?:coming )?(?:${weekday}|(?<=this (?:coming )?)week) (?:, )?(?:but )?(?:the |that )?(?:one|week|next one|following one|other one|next(?= ,|$))(?: after)?`,
    "(?:i |we |she |he )?(?:gotta|have to|need to|got to|must|should|has to) (?:be (?:out|done|gone|finished|home|back)(?: of (?:there|here))?|leave|get going|head (?:out|back|home))(?= (?:by|before|no later) )",
  ],
  [
    "cannot",
    "(?:(?:i|we|she|he|they|(?:my|the) [a-z]+) )?(?:do ?nt|does ?nt|wont|cant) (?:usually |normally |even |really )*(?:(?:get|be|drop|let|bring) (?:me |us |him |her )?(?:off|out|home|back|done|there|here|through|free|away|loose)|finish(?: up)?|leave|close up|clock out)(?: of| from)?(?: (?:the )?(?:work|school|class|office|job|house|there))?(?= (?:until|till|til|before) )",
  ],
  // Light, weather and heat.
  [
    "reason",
    "it (?:always |usually |mostly |just )?(?:rains|snows|storms|floods|ices)",
    "(?<!(?:before|until|till|after|once|when|whenever|if|while|unless|that|because) )(?:its|it is|it gets|it stays|itll be|it will be|theres|there is|we get|were getting) (?:just |always |all |way |too |so |much |a lot of |lots of |school |really |pretty |already |still |usually )*(?:foggy|fog|hot|cold|dark|icy|ice|slick|snow(?:ing|y)?|rain(?:ing|y)?|windy|humid|muggy|wet|muddy|weather|traffic|light|crowded|noisy)",
    "(?:i|we|she|he|they|my [a-z]+) (?:do ?nt|does ?nt|cant|cannot|wont|hates?|aint|am not|try not to|avoid) ?(?:to |like |really |even |wanna |want |care |for |much |too |good |fond |of |about |at )*(?:driv(?:e|ing)|(?:be(?:ing)?|go(?:ing)?) out|walk(?:ing)?|rid(?:e|ing)) (?:(?:home|out|back|around|on|in|after|the|all|that) )*(?:dark|rain|snow|traffic|ice|heat|fog|rush hour|highway)",
    `(?:if|unless|as long as|so long as|provided) (?:it|the (?:weather|roads?|snow|rain|creek|lord)) (?:do ?nt|does ?nt|is ?nt|wont|holds|clears|lets|permits|stays|rains|snows|quits|keeps|dries)(?! (?:on |this |next )*(?:${weekday}|tomorrow|today)(?: |$))|weather permitting`,
  ],
  [
    "reason",
    "(?:im|i am|ive|hes|shes|he is|she is) (?:really |just )?(?:not|never been) (?:really |much of )?an? (?:morning|night|early) (?:person|bird)",
  ],
  // Fetching children, where no time is said.
  [
    "reason",
    "(?:(?:i|we|she|he) |ive |weve |shes |hes )?(?:got to|gotta|have to|has to|had to|have got to|need to|needs to|gotta go) (?:go )?(?:get|pick|drop|take|bring|feed|put|meet|run) (?:up |off )?(?:him|her|them|(?:the|my|our) (?:kids?|boys?|girls?|baby|grand[a-z]+|sons?|daughters?|mom|mother|dad|father|wife|husband|sister|brother|neighbor|cows|dogs?|animals|chickens|horses))(?: up| off)?(?: (?:from|at|to|on|off|home)(?: of)?(?: (?:the|his|her|their))? (?:school|daycare|practice|bus|work|sitters?|babysitters?|airport|bed|home|preschool|camp))?(?: first)?(?! (?:in|seen|checked|looked|there|here|an?|to|for|the)(?: |$))",
    "(?:shes|hes|theyre|im|were|(?:the|my) kids are|(?:my|the) [a-z]+ is) (?:out of|off from|home from|off) (?:school|class|classes|work)(?= ,|$| (?:then|that week|so|and|all))",
  ],
  // Calling back is not coming.
  [
    "reason",
    `(?:(?:let me|ill(?: have to)?|i will|i can|i need to|im gonna|my [a-z]+ will) )?(?:just )?(?:(?:call|phone|get back to)(?: (?:you|yall|me|us)(?: guys| all)?)?(?: back| again|(?= (?:on )?(?:tomorrow|${weekday}|later|next week|in the morning)(?: |$)))|let (?:me|you|yall) know)`,
  ],
  // What others did or should have done, how it feels, and since when.
  [
    "reason",
    `(?:(?:some|no) ?body|(?:some|no) ?one|they|yall|you all|you guys|(?:the|my|his|her|your|our) (?!appointment|visit|[a-z]+(?:th|day)(?: |$)|first|second|third|one|two)[a-z]+(?: (?!you|they|she|he|i|we)[a-z]+)?) (?:called|(?<!(?:doctor|dr|nurse|surgeon|pcp|specialist) )(?:told me|said)(?= (?:they|he|she|it|theyd|itd|hed|shed|theyll|itll)(?: |$))|texted|mailed|emailed|phoned|faxed|canceled|cancelled|ordered|sent|put me on|prescribed|diagnosed|found|checked|ran)(?: (?:me|my|us|it|him|her|that))*(?: (?:they|he|she|it|that|theyd|itd|hed|shed|theyll|itll)(?: (?:would|will|d|ll))? (?:have|be|send|get|fax|call|mail|take|need)(?: (?:it|me|them|back|ready|in))*)?(?! (?:to come|come|i (?:can|could|should|need)|we (?:can|could|should)|(?:it|that) (?:has|needs|should)|(?:for )?(?:two|three|four|six|a) (?:week|month)))`,
    "(?:my|his|her|the) (?:blood (?:sugar|pressure)s?|sugars?|cough|fever|pain|headaches?|migraines?|stomach|tooth|teeth|leg|foot|feet|shoulder|hip|neck|chest|rash|arthritis|joints?|hands?|ears?|throat|medicine|meds|pills?|prescription|refills?|bill|copay)s?(?: (?:is|are|was|has|have|gets?|hurts?|aches?|swells?|ran|runs|acts?|bothers?|started|came|went))?",
    "(?:(?:some|no) ?body|(?:some|no) ?one|they|yall|you(?: all| guys)?|he|she|the [a-z]+|your [a-z]+) (?:(?:was|were|is|are) (?:all )?(?:supposed|meant|going|gonna) (?:to )?|(?:said|told me|promised) (?:they|you|he|she|theyd|youd|hed|shed|yall)(?: would| was gonna| were gonna)? (?:to )?)(?:call|phone|ring|get back|send|fax|text|mail)",
    "(?:it )?(?:does ?nt|do ?nt|does not|didnt) (?:even )?(?:have|need) to be(?: right| even)?(?= (?:now|today|tomorrow|this|next|right))",
    "(?:you|yall|he|she|they) (?:saw|called|texted)(?: (?:me|us|him|her))?(?= (?:last|on|yesterday|back|in|about|earlier|two|three|a))",
    "(?:its|it is|it gets|it feels|pain is|it seems) (?:the |always |really |so |a lot |much |usually )*(?:worst|worse|bad|painful|sore|swollen|tender|itchy|stiff|acting up)(?! (?:time|day|for))",
    `since (?:like |about |around |last |this |the |early |late )*(?:${day}|thanksgiving|halloween|september|october|november|i|we|[a-z]+th)(?: (?:morning|afternoon|evening|night|day))?(?! (?:is|are|isnt|wont|doesnt|does|do|will|cant|ill|im|i|we|works?|you)(?: |$))`,
    "(?:because of|on account of|due to|with|given) (?:the |it being |that being |all the )?(?:holidays?|thanksgiving|christmas|break|traffic)(?! (?:week|eve|day))(?: (?:weekend|traffic|coming up|coming|and all|and everything))*|for (?:the )?(?:holidays?|thanksgiving|christmas|break)(?! (?:week|eve|day|weekend))(?=$| (?:so|and|but|then))",
  ],
  [
    "reason",
    `(?:because|cause|cuz|coz|since|due to|on account of|being that|seeing as|as (?=(?:i|im|my|we|she|he) ))(?: of)?`,
    "this is(?! (?:fine|ok|good|for|the|about))|(?:my|the|her|his) names?(?: is)?|speaking|(?:date of )?birth(?: ?(?:day|date))?|born(?: on| in)?|dob",
    `for (?:about |like |over |almost |around |maybe |the (?:past|last) )*${count}(?: of| or ${count})? (?:day|week|month|year)s?(?: now)?(?! (?:from|out|after|later))`,
  ],
  // "Thursday's New Year's Eve, isn't it".
  [
    "reason",
    `(?:today|tomorrow|${weekday}) is (?:already )?(?:(?:new years|christmas) eve|new years|halloween|valentines|(?:labor|memorial|veterans|presidents|columbus|mothers|fathers|mlk) day|juneteenth|(?:the )?fourth of july|easter|(?:good|black) friday)(?: day)?(?: isnt it| right)?(?= ,|$| so| and| but)`,
  ],
  // When the caller leaves work.
  [
    "reason",
    `(?:im|i am|ill be|shes|hes|theyre|were) (?:usually |always |normally |generally |already )*(?:off|out|done|finished|through)(?: of| from)?(?: work| school| class)? (?:by|at|around|about)(?= (?:about |like |around )*(?:${hours}|noon|\\d))`,
  ],
  [
    "reason",
    "(?:i|we|she|he|my \\w+) (?:only |just |usually |always |mostly )?works? (?:(?:the|a) )?(?:days?|overnights?|graveyards?|(?:(?:day|night|morning|evening|swing|late|early|graveyard|first|second|third) )shifts?)(?= ,|$| (?:so|and|at|but|this|right))",
  ],
  ["reason", "(?:yesterday|last week|the other day|earlier)(?= (?:i|they|he|she|you|some ?body|some ?one|the|yall) )"],
  [
    "wish",
    "(?:i|we) only (?:have|got|get) (?:the |a |my )?(?:car|ride|truck|van|sitter|babysitter|help|childcare)",
    `(?:(?:and|but|which|that|who) )?(?:it|they|she|he|i|we|shes|hes|theyre|im|were|its|(?:the|my|our) [a-z]+(?: [a-z]+)?) only (?:runs?|comes?|goes|go|drives?|operates?|gets? off|picks? (?:me |us )?up|takes? (?:me|us)|(?<=s only )(?:off|free|home|here|available|around|in)|can(?: [a-z]+){0,2}|is (?:off|free|home|here|available|around|in))(?= (?:on |the |every )*${day.split("|tomorrow")[0]}(?: |$))`,
  ],
  [
    "cannot",
    `(?:i|we|she|he|they)(?:ll| will) (?:still |all )?be(?= (?!(?:${wanting}|getting|seeing) )[a-z]+ing )`,
    "(?:(?:is|are|was|s|would be|will be|might be|gonna be|be) )+(?:gonna be |going to be |kind of |kinda |really |pretty |a bit |always )*(?:a problem|a bit of a problem|difficult|tricky|rough|a (?:hard )?no(?: go)?|no go|off the table|terrible|awful|horrible|a bad day|out of the question)(?! if)",
    "(?<=[a-z]) no(?=$| ,)|no(?=$)",
    "(?:(?:they|he|she|my [a-z]+|work) )?(?:wont|dont|do ?nt|cant|doesnt|does nt) (?:ever |usually )?let (?:me|us) (?:off|out|go|leave)",
    "(?:(?:youre|you are|yall are|yalls|you guys are|theyre|they are|the (?:office|clinic) is|are (?:you|yall|you guys|they)|arent (?:you|yall|you guys)|are you not) )(?:also |all |gonna be |going to be )*(?:closed|off)(?: on)?|(?:youre|you|yall|they) (?:arent|not|are not|wont be|dont) open(?: on)?",
    "(?:is ?nt|is not|are ?nt|are not) (?:in|there|here|available|open|working)(?: on)?",
    "(?:please )?(?:dont|do not) (?:put|schedule|book|give|make) (?:me|us|it)(?: (?:on|for|in))?",
    "(?:(?:id|i would|i|wed|we would|we|she would|he would) )?(?:much )?(?:rather|prefer|preferably|hoping|hope|hoped|like|want|wanted|trying) (?:to )?not(?: to)?(?: (?:do it|do|come in|come|be there|have it|go|be))?",
    "(?:do ?nt|dont|would ?nt|wouldnt) (?:really )?(?:wanna|want to|want|like to|like)(?: (?:do|come in|come|be there|have it|go|be))?",
    `(?:oh )?(?:no |wait |, )*(?:thats|that is|its|it is|isnt that|isnt it|is that) (?:actually |like |the |a |on )*(?:holiday|thanksgiving|turkey day|christmas(?! eve)|new years? day|black friday)(?: day| weekend)?(?! (?:is|eve|so [a-z]+day))`,
    `(?:(?:is|are|was|would be|be|s) )?(?:(?:really |just |a |kinda |so )*(?:no good|not good|not great|no bueno|not (?:gonna|going to) work|not possible|not ideal|too (?:early|late|soon|far|long)))`,
    "(?:i |we )?(?:(?:have |got |have got |ive got |with |theres )no|(?:do ?nt|dont|wont|will not|did ?nt) have (?:a|any|the|my)|without (?:a|my)|im without (?:a|my)) (?:ride|car|transportation|babysitter|sitter|way)|(?:is )?taken",
    "(?:out of town|out of state|not available|unavailable|out all)",
    `(?:does|do|will|is)(?: ?nt| not)(?= ,|$| (?:${day}))`,
    "(?:is|are) (?:really |kinda |a |no |just |so |too |pretty )*(?:bad|tough|hard|impossible|full|out|busy|a problem|crazy|not an option)(?! of)",
    "(?:does|do|did|will|would|is|are) ?(?:nt|not) (?:really |gonna |going to )?(?:work|suit|fit|do|good|possible|happening|an option|happen)|wont (?:work|do|suit|fit)|aint (?:gonna work|no good|good|happening)",
    `(?:${others} )?(?:really |just |definitely )?(?:cant|cannot|can not|couldnt|wont be able to|wont be|am not able to|aint able to|aint|am not|could not)(?: (?:do|make it|make|come in|come|be there|get there))?(?! (?:i|you|we|talk|speak|swallow|eat|feel|lift|stop|keep|pee|get through|hear|see|read|drive|walk|find|remember|stand|sleep|breathe|move|bend|think|wait|take it|complain|picky|too|sure|really|be too|working(?! (?:for|with|out))|shopping|cooking|hosting|travell?ing|doing (?:anything|nothing|much))(?: |$))`,
    `(?:i|we|she|he)(?:m|re|s|ll be| am| are| is| will be| would be)? (?:always |usually |already |gonna be |going to be |all )*(?:${busy})(?: (?:right )?now)?`,
    `(?:i|we|she|he) (?:always |usually |already )?(?:works?|(?:have|has|got|ve got|have got|gotta) (?:${duties})|do ?nt (?:drive|do|like|want|wake|get up))`,
    "(?:is|was) (?:my|his|her|the|our) (?:\\w+ )?(?:birthday|date of birth|dob|birth ?date|anniversary|surgery|due date|game|recital|graduation|wedding|funeral|procedure|concert|tournament|meeting|court date|chemo|dialysis|infusion|party|shower|baptism|test|exam|(?:busy|long|work) day)",
    `(?:ive|weve) got (?:${duties})(?: stuff| practice| duty| meeting| thing)?`,
    "(?:is|are) (?:dialysis|chemo|church|bingo|therapy|class|court|school|practice)(?= ,|$| so| day)",
  ],
  [
    "not",
    "(?:change|move|switch|reschedule|swap|push|bump) (?:my|the|our|his|her) (?!appointment|visit)((?:(?!from |to )[a-z]+ ){0,5}?[a-z]+) (?:over )?(?:to|till|until|for)(?= (?:the |next |this |on )*(?:following|week|other|month|[a-z]+day|tomorrow|today|[a-z]+th|first|second|third|one|two|three|four|five|nine|ten|eleven|twelve)(?: |$))",
    "(?:change|move|switch|reschedule|swap|changed|moved)(?: (?:it|that|this|me|my appointment|the appointment|mine|my visit))? from (.{1,40}?) (?:to|over to|until|till)",
    "(?:change|move|switch|reschedule|cancel|swap) (?:my|the|our|his|her) (.{1,30}?) (?:appointment|visit|one)(?: (?:to|for|on|till|until))?",
    `(?:instead of|rather than) ((?:at )?(?:noon|${hours})(?: (?:thirty|fifteen|forty five|oclock))?)(?= (?:on|for) )`,
    "(?:instead of|rather than|in place of)|(?:a )?hard (?:no|pass) on|(?:as|so) long as (?:it|that) (?:is ?nt|is not|aint)|avoid|(?<!i )forget(?: about)?(?= (?:the|before|after|next|this|[a-z]+th|[a-z]+s) )",
    `(?:(?:better|easier|more) |(?<!(?:later|earlier|sooner|longer|less|other|rather) ))than (${named})`,
    `(?:well |and |but |oh )*(today|tomorrow|${weekday}) is (?:a |the |our )?(?:thanksgiving|christmas|holiday|turkey day)(?: day)?`,
    `(?:but |just |only )?not ((?:the )?${ordinal})(?! (?:thing|week|one))`,
    `(?:except(?: for)?|other than|besides|(?<=(?:any|every|all)[a-z ]{0,20})but) ((?:on |for )?(?:the )?${ordinal})(?! (?:thing|week|one))`,
    `(?:but )?not(?= (?:at )?(?:noon|${hours}|\\d+)(?: |$))`,
    `(?:but |just |only |and |please |maybe )*(?:not|forget(?: about)?|scratch|skip|except(?: for)?|other than|besides|but not|(?<=(?:any|every|all)[a-z ]{0,20})but(?!(?<=day but) in the )) ((?:on |for )?${named}(?: (?:or|and|nor) ${named})*)`,
    `(?:neither|not) (${named}(?: nor ${named})+)`,
    `(?:nothing|not anything|none) (?:on |for |in the |at )?(${named}(?: (?:or|and|nor) ${named})*)`,
    "(?:no|nothing) ((?:real |super |very |too )*(?:early|late) (?:in the )?(?:mornings?|afternoons?|evenings?))",
    `no (${weekday}s|mornings|afternoons|evenings|nights|weekends)`,
  ],
  [
    "agreed",
    `(?:(?:is|are|be|sounds|looks|was|s) )?(?:also |really |pretty |just |most |the |my |much |probably |totally )*(?:good(?! friday(?! (?:is|too|also|works|would|morning|afternoon|at)(?: |$)))|fine|alright|all right|great|perfect|ok|okay|best|better|ideal|easier|easiest|preferable|preferred)(?! than)(?: (?:for|with) (?:me|us|her|him|my \\w+))?`,
    "(?:im|i am|hes|shes|were) (?:free|off|open|available|home|good)(?: all day)?(?= ,|$| so| but)|i can(?= ,|$| so| but)",
    "(?:does|yes|is)(?= ,|$)",
    "(?:is|are|be|s) (?:really |about |pretty much |honestly )*(?:all|what|the only (?:time|day|thing|one|slot))(?: that)? (?:i|we|ive|weve|she|he)(?: (?:can|could|have|has|got|do|come|make|manage|works?))*",
    "(?:is|are) (?:my|his|her|our|usually) (?:only |usual |regular |normal |one )?(?:free days?|best days?|days? off|good days?)(?! from)",
    "(?<=(?:days?|mornings?|afternoons?|evenings?|weekend|week|noon|oclock|thirty|fifteen|forty five|one|two|three|four|five|eight|nine|ten|eleven|twelve|[a-z]th|first|second|third|am|pm|will|would|could|can|that|which|both|either|also) )works?(?: (?:for|with) (?:me|us|her|him))?",
  ],
  [
    "wish",
    "(?:it|that|this)(?:s| is| has| would| will|ll|d)? (?:gotta|got to|has to|have to|needs to|need to|should|must|better|gonna have to|going to have to) (?:really |probably )?be",
    `(?:(?:and|but|so) )?(?:she|he|they|i|we) (?:only|just) (?:has|have|gets?|got)(?= (?:(?:on|the|every) )*(?:${day})(?: |$))`,
    "(?:ive|weve|shes|hes|theyve) (?:only|just) got(?= )|(?:ive|weve|i|we) (?:have |got |have got )?nothing (?:going on|planned|else)",
    "(?:my|our|the|her|his) [a-z]+(?: (?:in law|[a-z]+))? needs? (?:to )?(?:come|be seen|be checked|see|an?|get|go)",
    "(?:(?:the|my|our|her|his) )?(?:[a-z]+ ){0,2}(?:can|could|will|ll) only (?:bring|take|drive|drop|come|get|do|make|be|pick|go|give)",
    "(?:and|but) (?:not|no|nothing)(?= (?:before|after|past|until|earlier|later) )",
    "(?:the |my )?(?:very )?(?:latest|earliest|soonest)(?= (?:i|we|she|he) (?:can|could)| (?:would|will|could) be| is )",
    "(?:is|are|was|were|s)? ?(?:supposed|due|scheduled|meant) (?:to )?(?:come out|be (?:removed|taken out|checked|seen|done|back)|come (?:back|in)|out)",
    "(?:im|were) (?:already |right |just |actually )*(?:sitting|parked|standing|outside|out front|downstairs|in (?:your|the) (?:parking|lot|lobby|waiting))[a-z ]{0,25}?(?= (?:right )?now)",
    "so|but|although|however|anyway|please|maybe|perhaps|lets|let us|make it|how (?:about|bout)|what about|is there|are there|any ?thing|some ?thing|any ?time|sometime|whenever|wherever|what ?ever",
    "(?<=so )i (?:get|make it|arrive|come)(?: there| here| in| over| by)?",
    "(?<!(?:nt|not|never) )(?:put|give|get|set|sign|squeeze|fit|book|schedule|see) (?:me|us|him|her|it)",
    "(?:can|could|do|did|would|will|should|may|shall|might|must|am|have|had|if|cant) (?:i|you|we|yall|it|she|he|they|some ?body|some ?one|any ?body|any ?one|the doctor|the nurse)|(?:you|yall) (?:got|have)",
    `(?:and |but )?(?:i|we) (?:${wishing})|(?:id|wed|ill|well) (?:${wishing}|rather|take|go|be|say|do|have)?`,
    `(?:and |but )?(?:im|i am|were|we are|shes|hes|ive been|i was|ill be|she is|he is) (?:${states})`,
    "(?:she|he|they|doctor|dr|nurse|surgeon|paper) (?:can|could|wants?|wanted|needs?|would|said|says|told|asked|prefers?|might)|(?:shed|hed|theyd) (?:rather|prefer|like|love)",
    "my (?:doctor|dr|surgeon|pcp|specialist|nurse) (?:said|says|wants|wanted|told|asked)",
    "my (?:only |next |first |best |other )?(?:days? off|free|best|available|preference|choice|schedule)(?: (?:is|are))?",
  ],
  [
    "reason",
    `my (?:${relative})(?:${verbs})|(?:my|her|his) (?:shift|class|surgery|trip|vacation|dialysis|therapy|meeting|flight|knee|back|deductible|insurance)s?`,
    `(?<!(?:after|before|at|during|around|over|for) (?:the )?)(?:the |our |his |her |new )*(?:${familiar})s? (?:${verbs}|get|go|start|end|let|run|out|off|home|in the|coming)`,
    `(?:whats|what is|what day is) (?:today|it)(?: today)?(?: ,)?(?: ${weekday})?`,
    `(?:today|tomorrow) is (?:already )?${weekday}|[a-z]+day is [a-z]+day(?= so)|its (?:thanksgiving|christmas)(?: [a-z]+day)?(?= so)`,
    `(?:were|theyre|shes|hes|im)(?= (?!(?:${wanting}) )[a-z]+ing )`,
    "were(?= (?:closed|short|moving|going|leaving|driving|flying|heading|visiting|having|getting|hosting|closing|on|at|in)(?: |$))",
    "it(?:ll| will|d| would)? takes?|follow ?up from|(?:thats|that is|those are|these are|those is|its|it is) (?:my|when|how|what|why|because|the only|about)|(?:it|(?:this|that|my|the|his|her) [a-z]+(?: [a-z]+)?|this|that) (?:started|began|happened|came on|flared up|got worse|showed up)|it (?:resets|starts|ends|kicks|runs|hurts|has been)",
    "(?:and |which |but )?(?:i|im|ive|we|weve|she|shes|he|hes|they|theyre|theyve|i been|(?:the|our) (?:kids?|bus|babysitter|sitter|school|ride|van|daycare|grandkids|medicaid ride|baby))",
  ],
];
