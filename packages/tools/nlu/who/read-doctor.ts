import { titleWords, wordsWithoutTitles } from "./match-names.ts";
import { normalizeName } from "../names.ts";
import { specialtiesIn } from "./specialties.ts";

/**
 * `any`: no filter. `usual`: the one the patient sees already. `name`: with `matchesName`. `specialty` beside a gender, or alone where a
 * kind of doctor was said.
 */
export type DoctorReading =
  | { kind: "any" }
  | { kind: "usual" }
  | { kind: "gender"; gender: "female" | "male"; specialty?: string }
  | { kind: "specialty"; specialty: string }
  | { kind: "name"; name: string }
  | { kind: "ambiguous"; readings: DoctorReading[] }
  | { kind: "unknown" };

const unknown: DoctorReading = { kind: "unknown" };

const excluding =
  /\b(?:not|no|except|but|excepto|menos|salvo|other than|besides|instead of|dont want|anyone else|someone else|somebody else|another|different|otro|otra|(?:con|a) quien no)\b/;
const noMatter =
  /\b(?:no preference|(?:it )?does ?nt matter|does not matter|do(?:es)?nt (?:care|mind)|dont have a preference|no matter|sin preferencia|no (?:me )?importa|no tengo preferencia|me da (?:igual|lo mismo)|es igual)\b/;
const usual =
  /\b(?:(?:my|our|his|her|the) (?:(?:kids|sons|daughters|childs|babys|moms|dads|husbands|wifes) )?(?:usual|regular|normal|own|primary care|primary|family|pcp|same|assigned)|my (?:doctor|doc|provider|physician|pcp|gp|dr)|pcp|same (?:doctor|one|provider|doc|person|dr)|the (?:doctor|one|provider) (?:i|we) (?:always |usually |normally |already )?(?:see|saw|had|have|go to)|who(?:m|ever)? (?:i|we) (?:always |usually |normally |last )?(?:see|saw|had)|(?:i|we) (?:always|usually|normally) (?:see|go to)|de siempre|de cabecera|mi (?:doctora?|medic[oa]|proveedora?|pediatra)|(?:el|la) mism[oa]|(?:(?:el|la) (?:(?:doctora?|medic[oa]) )?que|quien) (?:siempre )?(?:me |nos )?(?:ve|vi|vio|atiende|atendio)(?: siempre)?|habitual)\b/;
const any =
  /\b(?:any|anyone|anybody|whoever|who ?ever|any one|whichever|either|the first available|first available|first one available|next available|someone|somebody|cualquier|cualquiera|quien sea|el que sea|la que sea|quien este|quien tenga|quien pueda|el primero|alguien|cualquiera que|el que este|el que tenga|la primera persona|a doctor|a provider|a physician|un doctor|un medico|un proveedor|available|libre|disponible)\b/;
const female =
  /\b(?:female|woman|women|lady|ladies|girl|she|una doctora|una medica|mujer|mujeres|senora|femenina|doctora|doctoras|una ginecologa|una dermatologa|una cardiologa|una especialista)\b/;
const male = /\b(?:male|man|men|guy|gentleman|he|hombre|hombres|varon|masculino|caballero)\b/;

const fillers = new Set(
  "um uh uhm er like i id im we would want wanted need see with to for please if possible could can you maybe a an the is it its that in on at of my and s t me get appointment have has had so well okay ok yes yeah hi hello thanks thank looking hoping prefer preferably rather book schedule visit name named called be was think believe one there who also do does quiero quisiera con el la los las para por favor si se puede una un cita me gustaria prefiero ver necesito que sea creo llama llamada llamado de del al a es esta podria pues este bueno gracias consulta hablar su hay puede ser mejor alguna algun mas bien preferiria atienda senor sr sra senorita usted dra dras drs".split(
    " ",
  ),
);

const particles = new Set(["de", "del", "la", "las", "los", "da", "di", "van", "von"]);
const ordinals = new Set(
  "first second third fourth last next primero primera segundo segunda tercero tercera ultimo ultima otro otra".split(" "),
);

/** Particles stay where a name follows: "de la Cruz". */
function nameIn(said: string[], isTitled: boolean): string | undefined {
  const isWord = (word: string) => !fillers.has(word) && !titleWords.has(word);
  const first = said.findIndex((word, at) => isWord(word) || (isTitled && particles.has(word) && said.slice(at + 1).some(isWord)));
  const last = said.findLastIndex(isWord);
  const name = first < 0 ? [] : said.slice(first, last + 1).filter((word) => isWord(word) || particles.has(word));
  return name.length > 0 && name.length <= 4 && !name.some((word) => ordinals.has(word)) ? name.join(" ") : undefined;
}

export function readDoctor(text: string): DoctorReading {
  const plain = normalizeName(text).replace(/\b(?:does|do|did|is|was) n t\b/g, "doesnt");
  if (plain === "") return unknown;
  if (noMatter.test(plain)) return isAnyBeside(plain, noMatter) ? { kind: "any" } : unknown;
  const either = plain.split(/ (?:or|o) /);
  if (either.length > 1 && !any.test(plain)) return alternatives(either);
  if (excluding.test(plain)) return unknown;
  const said =
    /\b(?:dr|dra|doctor|doctora|doc|nurse|doctor a) (?!who|that|que|in|at|for|with|of|please|is|to|de (?!l[aeo])|por|para|mujer|hombre|varon|if|available|i|we|como|con|a|and|from|on|like|mas|familiar|general)(.+)$/.exec(
      plain,
    )?.[1];
  const titled = said !== undefined && specialtiesIn(said).length === 0 ? said : undefined;
  const gender = female.test(plain.replace(/\bdoctora(?= (?!mujer|de\b|por\b|que\b|para\b|si\b)\w)/g, ""))
    ? "female"
    : male.test(plain)
      ? "male"
      : undefined;
  const [specialty, ...others] = specialtiesIn(plain.replace(/\b(?:mujer|mujeres|women|woman)\b/g, ""));
  const isPossessive = usual.test(plain);
  if (isPossessive && titled === undefined) return { kind: "usual" };
  if (titled === undefined || /\b(?:mujer|hombre|female|male)\b/.test(plain)) {
    if (gender) return { kind: "gender", gender, ...(specialty && others.length === 0 ? { specialty } : {}) };
    if (specialty) return others.length > 0 ? unknown : { kind: "specialty", specialty };
    if (any.test(plain) && isAnyBeside(plain, any)) return { kind: "any" };
  }
  const name = nameIn(wordsWithoutTitles((titled ?? plain).split(" ")), titled !== undefined);
  if (name === undefined) return isPossessive ? { kind: "usual" } : unknown;
  return /\d/.test(name) ? unknown : { kind: "name", name };
}

/** The other words name and exclude no one. */
function isAnyBeside(plain: string, pattern: RegExp): boolean {
  const others = plain.replaceAll(new RegExp(pattern, "g"), " ").replaceAll(/\b(?:fine|soon|good|great|works?|bien|pronto)\b/g, " ");
  const isTitled = /\b(?:dr|dra|doctor|doctora)\b/.test(others);
  return !excluding.test(others) && nameIn(wordsWithoutTitles(others.trim().split(/\s+/)), isTitled) === undefined;
}

function alternatives(said: string[]): DoctorReading {
  const readings = said.map((one) => readDoctor(one));
  if (readings.some(({ kind }) => kind === "unknown" || kind === "ambiguous")) return unknown;
  if (readings.some(({ kind }) => kind === "any")) return { kind: "any" };
  return { kind: "ambiguous", readings };
}
