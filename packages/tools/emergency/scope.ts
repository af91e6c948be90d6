import type { EmergencyKind } from "./signs/sign.ts";

const phrase = (words: string): string => `(?:${words})`;

/** Ends right before a sign: the visit is for it. */
const forIt = new RegExp(
  [
    ` ${phrase("evaluations?|evals?|consults?|consultations?|work ?up|referral|referred|second opinion|specialists?|management|assessment|counseling|clinic|(?:new patient|follow up|followup|routine|annual|specialist|cardiology|neurology|pulmonology|clinic|telehealth|initial|recheck) (?:visit|appointment)")}(?: to)? ${phrase("for|of|about|regarding|(?<! (?:clinic|visit|appointment|management|assessment) )(?:with|after)")}(?: ${phrase("my|his|her|a|an|the|possible|chronic|recurrent|ongoing|recent|frequent|mild|occasional|new|history|of|intermittent|heavy|menstrual")})*$`,
    ` ${phrase("er|emergency room|hospital|hospitalized|admitted|urgent care|discharged")}(?: (?!\\.)\\S+){0,2}? ${phrase("last (?:week|month|year)|recently|\\S+ (?:days|weeks|months) ago")}(?: (?!\\.)\\S+){0,2}? ${phrase("for|with|after|because of")}(?: ${phrase("a|an|my|the|some|severe")})*$`,
    ` ${phrase("consultas?|evaluacion|evaluaciones|valoracion|clinica|seguimiento|control|chequeo|estudios?|examen|terapia|rehabilitacion|referencia|revision|manejo|especialista|segunda opinion")} ${phrase("de|del|por|para|sobre|(?<! (?:clinica|terapia|rehabilitacion|control|seguimiento) )(?:con|en)")}(?: ${phrase("mi|mis|su|sus|un|una|el|la|los|las|dolor|posible|posibles|cronicos?|cronicas?|recurrentes?|tratamiento|mis")})*$`,
  ].join("|"),
);

/** Begins right after a sign: it names the visit. */
const namesVisit = new RegExp(
  `^(?: ${phrase("disorder|disorders|spells?|episodes?|symptoms?|attacks?|issues?|problems?")})? ${phrase("evaluations?|evals?|consults?|consultations?|work ?up|management|visits?|referrals?|specialists?|study|studies|counseling|checkups?|check|testing|tests?|appointments?|follow ?ups?|recheck|clinics?|questions?|info|information|kits?|medicines?|side effects")}(?= |$)`,
);

/** The caller has it: "I have chest pain", but not "I have a chest pain evaluation". */
const isTold =
  / (?:have|having|has|ive|got|getting|feel|feels|feeling|experiencing|suffering|tengo|tiene|siento|siente)(?: (?!(?:a|an|my|the|his|her|un|una|mi|su|la|el|to|no)(?= ))[^\s.,]+){0,2}$/;
const isPressing =
  /^[^.]*? (?:today|now|tonight|asap|urgent|urgently|right away|immediately|emergency|hoy|ahora|ahorita|urgente|ya)(?= |$)/;

/** Whether a sign only names what a visit is for: "chest pain clinic", "evaluación de falta de aire". */
function isKindOfVisit(before: string, after: string): boolean {
  const sentence = before.slice(before.lastIndexOf(".") + 1);
  return !isTold.test(sentence) && !isPressing.test(after) && (forIt.test(sentence) || namesVisit.test(after));
}

/**
 * What around a sign says that it is not happening now: a negation, another time, or a service named after it. When nothing does, the sign
 * counts.
 */
type Scope = {
  /** Ends right before the sign: negations. They also cover the next sign after "or". */
  negated: RegExp;
  /** Ends right before the sign: history, information, medicine. */
  before: RegExp;
  /** Begins right after the sign: another time, an answer on a form. */
  otherTime: RegExp;
  /** Begins right after the sign: for years, which says nothing of thoughts of suicide. */
  lasting?: RegExp;
  /** Begins right after the sign: the name of a service, or that it is controlled. */
  named: RegExp;
  /** Begins right after the sign, and makes it count in spite of `before`, `otherTime` and `named`. */
  present: RegExp;
  /** Ends with the sign: it is going on, in spite of `otherTime`. */
  goingOn: RegExp;
  /** Between two signs of one list. */
  list: RegExp;
};

/** In digits or as said: 2019, "twenty nineteen", "dos mil doce". */
const years =
  "(?:(?:19|20)\\d\\d|two thousand(?: and)?(?: \\w+)?|twenty (?:ten|eleven|twelve|\\w+teen|twenty(?: \\w+)?)|nineteen (?:forty|fifty|sixty|seventy|eighty|ninety)(?: \\w+)?|dos mil(?: \\w+){0,3}|mil novecientos(?: \\w+){0,3})";

/** Up to so many words of the same clause, without a word that begins another one. */
const fewWordsEn = (atMost: number): string =>
  `(?: (?!(?:and|but|now|started|starting|began|been|for|since|like|than|i|im|ive|he|hes|she|shes|we|they|my|its|because|,|\\.)(?= |$))\\S+){0,${atMost}}?`;

const en: Scope = {
  negated: new RegExp(
    [
      `(?<! oh) ${phrase("no|zero|without|denies|denied|deny|denying|negative for|free of|nor|neither")}` +
        `(?: ${phrase("more|longer|real|signs?|symptoms?|of|recent|acute|severe|sudden|new|known|current|active|actual|any|having|has|had|thoughts|history|complaints|plans?|intent|intention|ideation|to|about|feelings|other|major|such|a|an")}){0,5}$`,
      ` ${phrase("not|never|dont|do not|doesnt|does not|didnt|did not|havent|hasnt|isnt|arent|aint|wasnt|werent|wouldnt|wont|will not")}` +
        `(?: ${phrase("need|have|has|had|having|get|getting|got|feel|feeling|felt|been|being|be|any|a|an|the|really|currently|actually|experience|experiencing|another|single|one|in|it|its|is|of|from|with|more|sign|signs|symptoms?|such|kind|active|actively|acute|severe|thoughts|thinking|about|feelings|plan|plans|planning|intend|intention|to|want|wanting|going|at|all|anymore|report|reports|reporting|talked|mentioned|spoken")}){0,6}$`,
      " (?:no|non) (?:fever|nausea|vomiting|dizziness|cough|rash|swelling|headache|pain|fevers|chills|injury)(?: or| nor| ,)$",
    ].join("|"),
  ),
  before: new RegExp(
    [
      ` ${phrase("history|hx|survivor|survived|survive|prevent|prevents|preventing|prevention|screening|screened|screen|tested|(?<! at )risk|risks|diagnosed|follow up|followup|died|passed away|dies|death")}(?: ${phrase("of|for|from|on|about|with|after|against|regarding|my|his|her|a|an|the|any|prior|previous|past|by|another|dads|moms|to|recognize|family|having|possible|in|how|getting|following|recent|last")}){1,5}$`,
      ` ${phrase("recovering|recovered|recovery|rehab|handout|brochure|pamphlet|article|information|info|class|classes|course|training|workshop|book|fmla|disability|billing|bill|billed|code|podcast|movie|documentary|policy|seminar|awareness|insurance|coverage")} ${phrase("of|for|from|on|about|against|regarding|to|by|how|following|(?<= (?:recovering|recovered|recovery|rehab) )after")}(?: ${phrase("of|for|from|on|about|with|after|against|regarding|my|his|her|a|an|the|any|prior|previous|past|by|another|dads|moms|to|recognize|family|having|possible|in|how|getting|following|recent|last")}){0,4}$`,
      ` ${phrase("past|previous|prior|former|previously|childhood")}(?: ${phrase("had|has|have|a|an")}){0,3}$`,
      ` (?:(?:since|following|post) ${phrase("my|his|her|their|the|moms|dads|a|mothers|fathers|husbands|wifes")}|how (?:long|soon|often) after an?|after ${phrase("my|his|her|their|moms|dads|mothers|fathers|husbands|wifes")})(?: ${phrase("last|old|recent|previous|prior|mild|mini|minor|mothers|fathers|dads|moms|husbands|wifes|sons|daughters|small")}){0,2}$`,
      " post$",
      ` ${phrase("treats|treat|treating|specializes in|specializing in|specialize in|deals with")}(?: ${phrase("people|patients|kids|adults|with|who|have|had|a|my|his|her")}){0,4}$`,
      ` (?:ran out of|run out of|out of|lost|picking up|pick up|need) (?:my|his|her)$`,
      `(?<!(?: took| used| taken| taking| gave| give| giving| given| using)(?: him| her| me)?(?: my| his| her| the| two| some| an?| \\d)?) ${phrase("refill|refills|prescription|prescriptions|prescribed|renew|renewal|(?<!(?:needs?|no|without|out of|needed) (?:my |his |her |the |an? )?)(?:nitroglycerin|nitro|inhaler|epipen|epipens)(?! with )|keppra|my (?:\\S+ )?(?:medicine|medication|medications|meds|pills)|(?:his|her) (?:\\S+ )?(?:medicine|medication|medications|meds|pills)|takes? (?:\\S+ )?(?:medicine|medication|medications|meds|pills)")}(?: ${phrase("for|of|my|his|her|the|a|an|against|in case|in case of|tablets|refill|medicine|with|occasional|any|as needed|needed|nitroglycerin|pills|medication")}){1,4}$`,
      ` ${phrase("what are|whats|learn|explain|list of|tell me|how do you (?:know|spot|recognize)|how to")}(?: ${phrase("about|the|some|a|an|of|early|warning|common|main|symptoms?|signs?|on|risk|factors|for|spot|treat|to|prevent|recognize|causes?|more|if|you|have|someone|typical|first|aid|between|avoid|in|know|difference|panic|attack|and|versus|or")}){1,9}$`,
      ` ${phrase("when i was|when he was|when she was|back when|used to|years ago|years back|last year|last spring|last summer|last fall|last winter|last month")}(?: ${phrase("i|he|she|we|my|mom|dad|(?<= used to )have|had|get|a|an|kid|child|teenager|the|was|were|mother|father|husband|wife|son|daughter|little|got|young|baby|with|for|some|really|bad|severe|big|serious")}){0,5}$`,
      ` in ${years}(?: ${phrase("i|he|she|we|my|mom|dad|had|a|an|the|mother|father|husband|wife|for|grandmother|grandfather|got|was")}){0,5}$`,
      ` ${phrase("in case i have|in case he has|in case she has|in case i get|worried about getting|risk of getting|(?:if|in case) (?:\\S+ ){1,3}?(?:ever|should)")}(?: ${phrase("a|an|the|another|get|gets|have|has|had|feel|feels|start|starts|having|getting|some|any|really|bad|severe")}){0,4}$`,
    ].join("|"),
  ),
  otherTime: new RegExp(
    `^(?:${[
      `${fewWordsEn(5)} ${phrase(`(?:in|back in|since|from|of|around|during) (?:${phrase("january|february|march|april|may|june|july|august|september|october|november|december|early|late|the")} )?${years}|(?:back in|from|since|during) the (?:\\d\\ds|nineties|eighties|seventies)|(?:in|back in) (?:january|february|march|april|may|june|july|august|september|october|november|december)|(?:in|over|during|back in) the (?:spring|summer|winter)(?! heat)|(?:back )?in (?:high school|middle school|grade school|elementary school|college|the army|the navy|the service|my first pregnancy|her first pregnancy|my last pregnancy|her last pregnancy)|with my (?:first|last|second|other) (?:pregnancy|baby|kid|one)|last (?:time(?: [.,]| so| and|$)|pregnancy|year|month|spring|summer|fall|autumn|winter|christmas|january|february|march|april|may|june|july|august|september|october|november|december)|(?:\\S+ )?(?:years?|months?|decades?|yrs?) (?:ago|back|earlier|prior)|as an? (?:kid|child|teenager|baby|teen|infant)|when (?:i|he|she|we|they) (?:was|were|turned) (?:a|an|little|young|small|younger|in (?:college|school|high|my|his|her)|\\d+|\\w+teen|twenty|thirty|forty|fifty|sixty|ten|nine|eight|seven|six|five|four|three|two|one)|at (?:the )?age|in (?:my|his|her) (?:\\d\\ds|twenties|thirties|forties|fifties|sixties|seventies|eighties|childhood|youth|past)|in the family|in the past(?= [.,]|$)|runs? in (?:the|my|our|his|her)|years before`)}`,
      `${fewWordsEn(3)} (?:in|on|to|for) (?:the|my|his|her|your) (?:chart|file|record|records|allergy list)(?= [.,]|$| please| so)`,
      `(?: ,)? (?:just )?so (?:you|they|its|it is|i) (?:\\S+ ){0,4}?(?:in|on) (?:the|my|his|her) (?:chart|file|record)(?= [.,]|$)`,
      `(?: (?!(?:and|but|now|started|since|for|had|died|,|\\.)(?= ))\\S+){0,6}? back in (?:high school|middle school|grade school|elementary school|college|${years})`,
      `${fewWordsEn(2)} at (?:my|his|her|the) last(?: ,| blood draw| draw| visit| appointment| checkup| physical| shot)`,
      `(?: ,)? (?:and )?(?:so )?(?:is|hes|shes|was|now) (?:now |already )?in (?:rehab|physical therapy|a nursing home)(?: now)?(?: ,)?(?: and| so)? (?:needs?|i need|we need)(?= |$)`,
      `${fewWordsEn(7)} and (?:(?:its|it is|theyre|hes|shes) (?:all |almost |already |mostly )?(?:scabbed|healing|healed|better|cleared up)|(?:its|theyre) gone)(?= |$)(?!(?: ,)? but )`,
      `${fewWordsEn(4)} cleared (?:him|her|me)(?= |$)`,
      `(?: (?!(?:but|now|\\.)(?= ))\\S+){0,14}? cleared (?:him|her|me)(?: ,)?(?: and)?(?: so)? (?:he|she|i) needs? (?:a|the|his|her|my) (?:note|letter|form)`,
      `(?: ,)?(?: (?!\\.|,)\\S+){0,3}? (?:i|he|she|we) (?:put|marked|checked|circled|answered|wrote) (?:down )?(?:not at all|never|zero|no|none|0)(?= [.,]|$)`,
      `(?: ,| and){1,2} (?:no|nope)(?: ,)? (?:never|not at all|i havent|i dont|i didnt|i never)(?= [.,]|$)`,
    ].join("|")})`,
  ),
  lasting:
    /^(?: on and off| off and on)? (?:since last (?:year|spring|summer|fall|winter)|for (?:many |several |\S+ )?years)(?= [.,]| and| so|$)/,
  named: new RegExp(
    `^(?:${[
      ` ${phrase("clinic|clinics|center(?! of)|centers|centre|rehab|rehabilitation|prevention|awareness|screening|screenings|survivor|survivors|support|medication|medications|meds|refill|refills|prescription|history(?! of)|risk(?= factors?| assessment| screening| questionnaire| score| calculator)|risks|action plan|class|classes|course|follow up|followup|program|programs|protocol|hotline|training|dog|diary|log|insurance|coverage|policy|claim|cost|costs|fee|fees|(?:ride|trip|transport) (?:cost|costs|bill|charge|charges|fee|claim)|education|brochure|pamphlet|handout|form|forms|questionnaire|assessment|research|fundraiser|walk|month|ribbon|conference|bill|therapy|precautions|records?|paperwork|results|free|hazard|pathway|threshold|control center|control magnet|control number|controls number|kit|kits|discharge|aftercare|scar|scars|cream|code|codes|bracelet|street|road|avenue|lane|boulevard")}(?= |$)`,
      ` (?:pain )?${phrase("denied|negative|none|absent|ruled out|was ruled out|is none|false|no(?= [.,]|$)")}(?= |$)`,
      ` (?:is|are|was|were|has been|have been) ${phrase("under control|well controlled|controlled|ruled out|managed|stable|healed|all healed|normal again")}`,
    ].join("|")})`,
  ),
  present: new RegExp(
    `^(?:(?: (?!\\.)\\S+){0,2}? ${phrase("today|tonight|this morning|this afternoon|this evening|just now|right now|now|an hour ago|minutes ago|hours ago|yesterday|last night|like this|this bad|so bad|happening")}|(?: (?!\\.)\\S+){0,9}? ${phrase("getting worse|is worse|are worse|worse|again|right now|the same|same thing|came back|is back|are back|coming back|not working|not helping|didnt help|doesnt help|isnt helping|isnt working|doesnt work|wont stop|now (?:he|she|i|my|his|her|has|have|its|theres)|this morning i|before and now")})(?= |$)`,
  ),
  goingOn:
    / (?:(?:im|i am|is|hes|shes|are|theyre) (?:(?!(?:in|at|a|an|the) )\S+ )?having|(?:have|has)(?= (?:\S+ ){0,3}(?:pain|pains|pressure|tightness)$)|(?:im|i am|is|hes|shes) (?:bleeding|seizing|choking|gasping|convulsing|wheezing|drowning))(?: (?!(?:had|to|history)(?= ))\S+){0,6}$/,
  list: /^(?: (?:or|nor|any|,|no|of|a|an)){1,4}$/,
};

const fewWordsEs = (atMost: number): string =>
  `(?: (?!(?:y|pero|ahora|desde|empezo|como|que|porque|lo|le|me|se|mi|tengo|tiene|esta|,|\\.)(?= |$))\\S+){0,${atMost}}?`;

const es: Scope = {
  negated: new RegExp(
    [
      ` ${phrase("sin|ningun|ninguna|niega|nego|nego|niego|tampoco|ni|nada de|ningunos|libre de|negativo para|descartan?|descartaron")}` +
        `(?: ${phrase("el|la|los|las|un|una|tener|tengo|tiene|haber|tenido|ningun|ninguna|signos|senales|sintomas|de|mas|ya|pensamientos|ideas|intencion|intento|antecedentes|historia|otro|otra|sentir")}){0,5}$`,
      `(?<! oh) (?!no se (?:tengo|siento)(?= |$))${phrase("no|nunca|jamas")}` +
        `(?: ${phrase("tengo|tiene|tenia|tenemos|tuve|tuvo|hay|he|ha|hemos|habia|tenido|siento|siente|sentia|sufro|sufre|es|era|fue|son|esta|estoy|estaba|presento|presenta|reporta|reporto|me|le|se|dado|dio|da|un|una|ningun|ninguna|el|la|los|las|de|mas|signos|senales|sintomas|pensamientos|ideas|planes|intencion|pienso|piensa|pensado|quiero|quiere|voy|va|a|en|ha tenido|mi|por|soy|con|hubo|nada|ya|nunca|vuelto a|tenga|tengan|tener|haya")}){0,6}$`,
      " (?:sin|no) (?:tengo |tiene |hay )?(?:fiebre|nauseas|vomito|mareo|tos|dolor|calentura)(?: ni| o| ,)$",
    ].join("|"),
  ),
  before: new RegExp(
    [
      ` ${phrase("historia|historial|antecedente|antecedentes|sobreviviente|sobrevivio|prevenir|previene|prevencion|deteccion|(?<! en )riesgo|riesgos|recuperando|recuperandose|diagnostico|seguimiento|murio|fallecio|fallecieron|murieron|seguro|cobertura|copago|folleto|articulo|informacion|formulario|certificado|reclamo|incapacidad|cobro|cobraron|cobrar|cobran|pagar|(?<! (?:di|dio|doy|da|dado|dando|darse|darme|dieron) )cuenta|factura|recibo|cuanto cuestan?|cuanto vale|cuanto es|pelicula|documental|revision|control|chequeo")}(?: ${phrase("de|del|por|sobre|para|con|contra|a|la|el|los|las|un|una|mi|su|familiar|familiares|tras|despues|causa|posible|como|padre|madre|abuelo|abuela|cual|reciente|haber|tenido")}){1,5}$`,
      ` ${phrase("recuperacion|rehabilitacion|clase|clases|curso|taller|platica")} ${phrase("de|del|sobre|para|contra|tras|despues|por")}(?: ${phrase("de|del|a|la|el|los|las|un|una|mi|su|posible|como")}){0,4}$`,
      ` ${phrase("clase|clases|curso|taller|platica")}(?: ${phrase("de|del|sobre|para|,|la|el|los|las|que|se|bebes|ninos|adultos|rcp")}){1,9}$`,
      ` ${phrase("previo|previa|anterior|antiguo")}$`,
      ` ${phrase("desde|despues|luego|tras")}(?: de)? ${phrase("mi|su|el|la|los|un|una|del|que tuve|que tuvo|haber tenido")}(?: ${phrase("ultimo|ultima|primer|segundo|anterior|pequeno|un|el|una|la|que|tuvo|tuve|tenido")}){0,3}$`,
      `(?<!(?: di| dio| dimos| puse| puso| pusimos| tome| tomo| use| uso)(?: ya)?(?: su| mi| la| el| un| una)?) ${phrase("receta|recetas|surtir|resurtir|resurtido|inhalador|nitroglicerina|epipen|mi (?:medicina|medicamento|pastilla)|mis (?:medicinas|medicamentos|pastillas)|(?:tomo|toma) (?:medicina|medicamento|pastillas)")}(?: ${phrase("de|del|para|por|contra|la|el|los|las|mi|mis|su|sus|en caso|un|una|ocasional|que|tomo|nitroglicerina|pastillas|medicina")}){1,4}$`,
      ` ${phrase("cuales son|que son|como saber|aprender|explique|expliqueme|explicar|como reconocer|diferencia")}(?: ${phrase("los|las|el|la|un|una|de|del|sintomas|senales|signos|sobre|si|es|primeros|advertencia|comunes|mas|factores|riesgo|entre|acerca|causas|tipicos|por|como")}){1,7}$`,
      ` ${phrase("cuando era|cuando estaba en la (?:universidad|prepa|preparatoria|secundaria|escuela)|de nino|de nina|de chiquito|de chiquita|cuando tenia|hace anos|hace muchos anos|hace un ano|hace dos anos|hace tres anos|hace \\S+ anos|hace \\S+ meses|el ano pasado|el mes pasado|el verano pasado")}(?: ${phrase("nino|nina|chico|chica|tuve|tuvo|tenia|me|le|dio|daba|daban|un|una|el|la|sufri|sufrio|mi|papa|mama|padre|madre|anos|fui|que|se|por|joven|bebe")}){0,6}$`,
      ` en ${years}(?: ${phrase("tuve|tuvo|me|le|dio|un|una|el|la|sufri|sufrio|mi|papa|mama|padre|madre|abuela|abuelo")}){0,5}$`,
      ` ${phrase("caso de|por si me da|por si le da|si me da|si (?:me|le) (?:daba|diera)|si llega a|si llegara a|si alguien tiene|si alguna vez|por si tengo")}(?: ${phrase("un|una|el|la|otro|tengo")}){0,3}$`,
    ].join("|"),
  ),
  otherTime: new RegExp(
    `^(?:${[
      `${fewWordsEs(5)} ${phrase(`(?:en|desde|del|de) (?:el )?(?:ano )?${years}|el (?:ano|mes|verano|invierno|otono) pasado|hace (?:\\S+ ){1,2}(?:anos?|meses|mes|decadas)|hace anos|hace tiempo|cuando (?:era|tenia)|de (?:nino|nina|joven|chico|chica|bebe)|a los \\S+ anos|en (?:la|mi|su) (?:familia|infancia|juventud|ninez|pasado)|en el pasado|(?:en|con) (?:el|mi|su) (?:primer|segundo|ultimo|otro) (?:embarazo|parto|bebe|hijo)|en la (?:secundaria|prepa|preparatoria|primaria)`)}`,
      `${fewWordsEs(4)} y (?:me |nos |le )?dijeron que (?:ya )?(?:esta|estaba|estoy|todo) (?:todo )?bien`,
      `(?: (?!(?:pero|ahora|\\.)(?= ))\\S+){0,4}? y dijo que (?:ya )?esta bien(?: ,)?(?: y)? (?:necesito|necesita|ocupo|quiero) (?:la|una|el|su) (?:carta|nota|constancia|justificante)`,
      `${fewWordsEs(3)} (?:en|para) (?:el|mi|su) (?:expediente|archivo|historial)(?= [.,]|$| por favor)`,
      `${fewWordsEs(4)}(?: ,)? y (?:(?:le |les )?(?:puse|dije|conteste|respondi|marque) que (?:no|nunca)|nunca|no(?: ,)? (?:nunca|jamas|para nada))(?= [.,]|$)`,
      `${fewWordsEs(4)}(?: ,)? y no(?= \\.|$)`,
    ].join("|")})`,
  ),
  named: new RegExp(
    `^(?:${[
      ` ${phrase("clinica|previo|previa|anterior|familiar|en la familia|prevencion|descartado|descartada|negativo|ninguno|ninguna|no(?= [.,]|$)|controlado|controlada|controlados|controladas")}(?= |$)`,
      ` (?:esta|estan|ya esta|fue|ha sido) ${phrase("controlado|controlada|controlados|controladas|descartado|descartada")}`,
    ].join("|")})`,
  ),
  present: new RegExp(
    `^(?:(?: (?!\\.)\\S+){0,2}? ${phrase("hoy|ahora|ahorita|ahora mismo|esta manana|esta tarde|esta noche|anoche|ayer|hace una hora|hace \\S+ minutos|hace \\S+ horas|hace rato|hace poco|asi|tan fuerte")}|(?: (?!\\.)\\S+){0,9}? ${phrase("otra vez|de nuevo|peor|empeora|empeorando|ahora mismo|lo mismo|volvio|regreso|no funciona|no me hace|no ayuda|no le ayuda|y ahora|ahorita")})(?= |$)`,
  ),
  goingOn: / (?:esta|estan|estoy|estamos) \S+(?:ando|iendo|endo|andose|iendose)(?: \S+){0,5}$/,
  list: /^(?: (?:o|ni|u|,|de|un|una|el|la|tampoco)){1,4}$/,
};

/** Before a sign of one word, which is then a name. */
const title =
  / (?:dr|dra|doctor|doctora|doc|mr|mrs|ms|miss|nurse|professor|sr|sra|senor|senora|enfermera|last name|first name|name is|named|apellido|llamo)$/;
/** No name: "the nurse fainted", "mi señora desmayada". */
const participle = /(?:ed|ing|ous|ive|cidal|ando|iendo|ad[ao]|ente)$/;
/** "never felt such pain" */
const neverSo = / (?:never|nunca|jamas) (?:\S+ ){0,2}(?:such|so|tanto|tal|tan)(?: \S+)?$/;
/** "no chest pain until an hour ago" */
const notUntil =
  /^(?: (?!\.)\S+){0,3}? (?:(?:until|till|til) (?:now|today|tonight|this|just|about|an hour|a few|\S+ (?:minutes|hours)|yesterday|last night)|hasta (?:hoy|ahora|ahorita|esta|este|hace|ayer|anoche))(?= |$)/;
/** "wanted to die since 2019" */
const stillSo = /^(?: (?!\.)\S+){0,3}? (?:since|for|desde) /;
/** These have no clinic or medicine named after them. */
const happened = / (?:overdosed|overdosing|choked)$/;
/** As in notes: "denies chest pain and shortness of breath". */
const deniedList = / (?:denies|denied|denying|niega|nego)(?: (?!(?:but|pero|\.)(?= ))\S+)*$/;
/** Far enough for the longest expression that ends before a sign. */
const contextCharacters = 120;

export type Found = { start: number; end: number };
type Dismissal = "negated" | "other time";

export type Dismissed = Found & { why: Dismissal };

type Sign = Found & { kind: EmergencyKind };

function dismissalIn(scope: Scope, text: string, { start, end, kind }: Sign, previous: Dismissed | undefined): Dismissal | undefined {
  const [before, after] = [text.slice(Math.max(0, start - contextCharacters), start), text.slice(end, end + contextCharacters)];
  const sign = text.slice(start, end);
  const isPresent = scope.present.test(after);
  if (scope.negated.test(before))
    return notUntil.test(after) || neverSo.test(before) || (isPresent && / (?:never|nunca|jamas) /.test(before)) ? undefined : "negated";
  if (isPresent) return undefined;
  const between = previous && previous.end <= start ? text.slice(previous.end, start) : "";
  if (scope.list.test(between) && / (?:or|nor|o|u|ni)(?= |$)/.test(between)) return previous?.why;
  if (/^ (?:and|y)$/.test(between) && deniedList.test(before)) return "negated";
  const isOtherTime = scope.otherTime.test(after) && !scope.goingOn.test(before + sign) && !(kind === "self_harm" && stillSo.test(after));
  const isLasting = kind !== "self_harm" && scope.lasting?.test(after) === true;
  const isNamed = !happened.test(sign) && (scope.named.test(after) || isKindOfVisit(before, after));
  return scope.before.test(before) || isOtherTime || isLasting || isNamed ? "other time" : undefined;
}

/**
 * Why a sign found in the text is none; undefined if it counts. Both languages are asked, as they share words. `previous` is the sign
 * dismissed before it.
 */
export function dismissalOf(text: string, found: Sign, previous: Dismissed | undefined): Dismissal | undefined {
  const word = text.slice(found.start + 1, found.end);
  if (title.test(text.slice(0, found.start)) && !word.includes(" ") && !participle.test(word)) return "other time";
  return dismissalIn(en, text, found, previous) ?? dismissalIn(es, text, found, previous);
}

const accident = new RegExp(
  [
    `^(?: (?!(?:my|i|he|she|mom|mi|,|\\.)(?= ))\\S+){0,5}? ${phrase("(?<! not )by accident|on accident|accidentally|(?:the|table|band|circular|chain) saw|por accidente|sin querer(?! vivir| seguir)")}(?= |$)`,
    `^ (?:la|el|una?) ${phrase("sierra|motosierra|maquina|podadora|vidrio|lamina|machete|cuchillo")}(?= |$)`,
  ].join("|"),
);

const ache =
  / (?:neck|head|stomach|belly|tummy|gut|chest|throat|ear|ears|side|arm|shoulder|hip|wrist|hand|leg|knee|foot|feet|toe|tooth|teeth|back|eye|eyes|pain|cough|headache)(?: pain)?(?: just| really)*(?: is| are| s| was| has been| have been| keeps)(?: just| really)*$/;

/** Whether the words before "killing him" say what hurts him. */
export const isAche = (before: string, sign: string): boolean => /^ killing (?:me|him|her|them|us)$/.test(sign) && ache.test(before);

/** Whether the words after a sign of self-harm call it an accident: "I cut my wrist on the saw", "me cortó el vidrio". */
export const isAccident = (after: string): boolean => accident.test(after);
