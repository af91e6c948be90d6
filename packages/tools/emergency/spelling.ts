import { idioms } from "./idioms.ts";
import { signs } from "./signs/index.ts";
import { wordGroups } from "./word-groups.ts";

/** Misspellings and mishearings that are far from the word or too short to be recognized by likeness. */
const known = new Map(
  Object.entries({
    chets: "chest",
    ches: "chest",
    chst: "chest",
    cheast: "chest",
    chesst: "chest",
    brest: "breast",
    brething: "breathing",
    breth: "breath",
    breathin: "breathing",
    breating: "breathing",
    breate: "breathe",
    breeth: "breathe",
    breethe: "breathe",
    breathng: "breathing",
    brath: "breath",
    briething: "breathing",
    bledding: "bleeding",
    bleding: "bleeding",
    pian: "pain",
    payn: "pain",
    panes: "pains",
    presure: "pressure",
    preasure: "pressure",
    tite: "tight",
    tightnes: "tightness",
    hart: "heart",
    haert: "heart",
    hearth: "heart",
    numbnes: "numbness",
    nummness: "numbness",
    num: "numb",
    fase: "face",
    slured: "slurred",
    slurd: "slurred",
    cnt: "cant",
    canot: "cannot",
    dificulty: "difficulty",
    difficutly: "difficulty",
    truble: "trouble",
    trubble: "trouble",
    overdosd: "overdosed",
    pils: "pills",
    pilz: "pills",
    tong: "tongue",
    tounge: "tongue",
    thraot: "throat",
    throte: "throat",
    troat: "throat",
    fanted: "fainted",
    faynted: "fainted",
    pased: "passed",
    prego: "pregnant",
    pregant: "pregnant",
    pregnet: "pregnant",
    siezing: "seizing",
    ambulence: "ambulance",
    emergancy: "emergency",
    sucidal: "suicidal",
    suicidle: "suicidal",
    respirrar: "respirar",
    rrespirar: "respirar",
    pecjo: "pecho",
    pcho: "pecho",
    peccho: "pecho",
    dolr: "dolor",
    dollor: "dolor",
    lavios: "labios",
    enbarazada: "embarazada",
    embarasada: "embarazada",
    enbarasada: "embarazada",
    embaraza: "embarazada",
    aogando: "ahogando",
    aoga: "ahoga",
    incha: "hincha",
    inchada: "hinchada",
    inchado: "hinchado",
    inchando: "hinchando",
    inchados: "hinchados",
    desmallo: "desmayo",
    desmallado: "desmayado",
    desmallada: "desmayada",
    deramme: "derrame",
    derame: "derrame",
    pastias: "pastillas",
    pastiyas: "pastillas",
    pastilas: "pastillas",
    benas: "venas",
    bomitando: "vomitando",
    bida: "vida",
    kiero: "quiero",
    qiero: "quiero",
    bivir: "vivir",
    benena: "veneno",
    beneno: "veneno",
    sanjre: "sangre",
    cabesa: "cabeza",
    braso: "brazo",
    corason: "corazon",
    corazn: "corazon",
    emerjensia: "emergencia",
    emergensia: "emergencia",
    ambulansia: "ambulancia",
    alerjica: "alergica",
    reaksion: "reaccion",
    reacion: "reaccion",
    combulsion: "convulsion",
    combulsiones: "convulsiones",
    convulcion: "convulsion",
    convulciones: "convulsiones",
    convulcionando: "convulsionando",
    ojito: "ojo",
    ojitos: "ojos",
    bracito: "brazo",
    bracitos: "brazos",
    manita: "mano",
    manitas: "manos",
    manito: "mano",
    boquita: "boca",
    cabecita: "cabeza",
    piernita: "pierna",
    piernitas: "piernas",
    barriguita: "barriga",
    pancita: "panza",
    carita: "cara",
    labiecitos: "labios",
    labiecito: "labio",
    dedito: "dedo",
    deditos: "dedos",
    piecito: "pie",
    piecitos: "pies",
    pechito: "pecho",
    corazoncito: "corazon",
    espaldita: "espalda",
    calientita: "caliente",
    calientito: "caliente",
    palidito: "palido",
    palidita: "palida",
    dormidito: "dormido",
    dormidita: "dormida",
    moradita: "morada",
    moraditas: "moradas",
    frijolito: "frijol",
    pastillita: "pastilla",
    pastillitas: "pastillas",
    hinchadito: "hinchado",
    hinchadita: "hinchada",
    tiesito: "tieso",
    tiesita: "tiesa",
    debilito: "debil",
    debilita: "debil",
    gorditos: "gordos",
  }),
);

/** Words that are corrected from one wrong, missing, added or swapped letter. */
const correct =
  "breathe breathing stroke seizure seizures unconscious consciousness overdose overdosed suicide suicidal bleeding choking swallowed allergic reaction anaphylaxis anaphylactic swelling swollen poisoned poisoning convulsing convulsions unresponsive collapsed paralyzed numbness drowning electrocuted pregnant contractions hemorrhage hemorrhaging ambulance emergency difficulty shortness pressure slurred slurring drooping responding respirar respirando derrame convulsiones convulsionando inconsciente desmayado desmayada sangrando sangrado sangre sobredosis suicidarme suicidio atragantando atragantado ahogando embarazada infarto hinchada garganta alergica reaccion desangrando ambulancia paralizado adormecida envenenado intoxicado corazon pastillas emergencia conocimiento".split(
    " ",
  );
const isLetter = (code: number): boolean => code >= 97 && code <= 122;
const hasWord = (phrase: string, word: string): boolean => {
  for (let at = phrase.indexOf(word); at >= 0; at = phrase.indexOf(word, at + 1))
    if (!isLetter(phrase.charCodeAt(at - 1)) && !isLetter(phrase.charCodeAt(at + word.length))) return true;
  return false;
};
/** Words of the tables are right as they are. */
const isInTables = (word: string): boolean =>
  signs.some(({ en, es }) => [...en, ...es].some((phrase) => hasWord(phrase, word))) ||
  [...Object.values(idioms).flat(), ...Object.values(wordGroups).flatMap((groups) => Object.values(groups))].some((phrase) =>
    hasWord(phrase, word),
  );
/** Ordinary words and forms that are one letter away from the ones above. */
const ordinary = new Set(
  "breath breaths strobe stoke strike stroked strokes strove strode breeding blending bleeping pleading swelling spelling selling smelling swallow chocking checking joking coking collapse pressured pressures reactions reacting reactive seizures poisonings derrames respirara respirado sangrada sangriento infartos garganta gargantas convulsione corazones emergency emergencies breathed breather pastilla overdoses suicides swallows allergies pregnancy contraction responding respondent ambulances breaching blessing slurping dropping stroker stoked breathes suspirar aspirar retirar respiras respiro paralyze numbers numberless dining droning drafting crowning browning growing drawing training".split(
    " ",
  ),
);
const fewestLetters = 6;

const isOneOff = (word: string, target: string): boolean => {
  const difference = target.length - word.length;
  if (word[0] !== target[0] || Math.abs(difference) > 1) return false;
  let at = 0;
  while (at < word.length && word[at] === target[at]) at++;
  const [rest, wanted] = [word.slice(at), target.slice(at)];
  if (difference === 1) return rest === wanted.slice(1);
  if (difference === -1) return rest.slice(1) === wanted;
  return rest.slice(1) === wanted.slice(1) || (rest[0] === wanted[1] && rest[1] === wanted[0] && rest.slice(2) === wanted.slice(2));
};

export function correctSpelling(word: string): string {
  const found = known.get(word);
  if (found !== undefined) return found;
  if (word.length < fewestLetters || correct.includes(word) || ordinary.has(word)) return word;
  const alike = correct.find((one) => isOneOff(word, one));
  return alike === undefined || isInTables(word) ? word : alike;
}
