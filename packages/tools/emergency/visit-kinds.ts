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
export function isKindOfVisit(before: string, after: string): boolean {
  const sentence = before.slice(before.lastIndexOf(".") + 1);
  return !isTold.test(sentence) && !isPressing.test(after) && (forIt.test(sentence) || namesVisit.test(after));
}
