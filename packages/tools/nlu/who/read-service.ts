import { normalizeName } from "../names.ts";
import { specialtiesIn } from "./specialties.ts";

/**
 * `any`: no filter. `specialty`: of that name. `visit`: a kind of visit, in common words. `words`: what the caller said, to compare with the
 * clinic's own services.
 */
export type ServiceReading =
  | { kind: "any" }
  | { kind: "specialty"; specialty: string }
  | { kind: "visit"; visit: string }
  | { kind: "words"; words: string }
  | { kind: "ambiguous"; readings: ServiceReading[] }
  | { kind: "unknown" };

const visits: [visit: string, said: RegExp][] = [
  [
    "counseling",
    /\b(?:counsel(?:ing|or)s?|psycholog(?:y|ist)|psychotherapy|talk therapy|behavioral health|anxiety|depress(?:ed|ion)|grief|psicolog(?:o|a|ia)|consejer(?:o|a|ia)|ansiedad|depresion|deprimid[oa]|terapia psicologica)\b/,
  ],
  [
    "telehealth visit",
    /\b(?:tele ?health|tele ?medicine|video (?:visit|call|appointment)|virtual|over video|videollamada|telemedicina|por video)\b/,
  ],
  [
    "medication review",
    /\b(?:medication review|medicine review|(?:refill|med|medication) (?:visit|check|appointment)|revision de medicamentos|cita de receta)\b/,
  ],
  ["therapy", /\b(?:physical therapy|therapy|therapists?|terapia|terapista|terapeuta)\b/],
  [
    "vaccine",
    /\b(?:flu shots?|shots?|jabs?|tdap|mmr|shingrix|inyeccion de la gripe|vaccines?|vaccinations?|immunizations?|boosters?|vacunas?|vacunacion|vacunar\w*)\b/,
  ],
  ["well child visit", /\b(?:well (?:child|baby|visit child)|school physical|sports physical|control del nino|nino sano)\b/],
  [
    "physical",
    /\b(?:physicals?|annual|yearly|wellness|check ?ups?|preventive|well ?woman|routine (?:visit|exam)|examen (?:fisico|anual|general)|chequeo|revision (?:anual|general)|fisico)\b/,
  ],
  [
    "follow-up",
    /\b(?:follow ?ups?|following up|recheck|post ?op|results|resultados|after my surgery|stitches out|despues de (?:mi|la) (?:operacion|cirugia)|seguimiento|control)\b/,
  ],
  [
    "new patient visit",
    /\b(?:new patient|first (?:visit|time|appointment)|primera (?:vez|cita|visita|consulta)|paciente nuev[oa]|establish care|never been (?:there|here)|nunca he ido)\b/,
  ],
  [
    "sick visit",
    /\b(?:sick|cold|flu|fever|cough|sore throat|not feeling well|under the weather|stuffy|runny nose|congest(?:ed|ion)|sinus|stomach (?:bug|ache|flu)|ear ?ache|pink eye|vomiting|diarrhea|nauseous|strep|catarro|mocos|congestion|dolor de (?:estomago|oido|panza)|vomito|diarrea|enferm[oa]|gripe|fiebre|tos|resfriad[oa]|me siento mal|dolor de garganta)\b/,
  ],
  ["lab work", /\b(?:lab ?work|labs?|blood ?(?:work|tests?|draw)|laboratorios?|analisis|examen(?:es)? de sangre)\b/],
  [
    "imaging",
    /\b(?:x ?rays?|mri|ct scan|cat scan|ultrasound|mammograms?|radiografia|rayos x|resonancia|ultrasonido|ecografia|tomografia|mamografia|bone density)\b/,
  ],
];

const anyVisit =
  /^(?:anything|any(?: kind| type)?(?: of)?(?: visit| appointment)?|whatever|just (?:a|an)? ?(?:regular |general |normal )?(?:visit|appointment)|(?:a |an |la |una )?(?:visit|appointment|consultation|cita|consulta|visita)|cualquier(?:a)?(?: cita| cosa)?|lo que sea|does ?nt matter|no importa|una cita(?: medica)?)$/;
const fillers = new Set(
  "um uh like i id im ive a an the for my to need want would please see someone about with get have has got been of on in is it its and that this just some visit visits appointment appointments schedule book looking hoping at quiero quisiera necesito para mi una un el la los las de del por favor cita consulta visita con que es tengo me hacer hacerme sacar pedir ver a al y unos unas su doctor doctora medico specialist especialista maybe think so well okay".split(
    " ",
  ),
);

export function readService(text: string): ServiceReading {
  const plain = normalizeName(text).replace(/^(?:um|uh|well|oh|so|pues|bueno) /, "");
  if (plain === "") return { kind: "unknown" };
  if (anyVisit.test(plain)) return { kind: "any" };
  const [visit] = visits.filter(([, said]) => said.test(plain)).map(([name]) => name);
  const specialties = specialtiesIn(plain);
  if (visit !== undefined && (specialties.length === 0 || visit === "sick visit")) return { kind: "visit", visit };
  const [specialty, ...others] = specialties;
  if (specialty !== undefined && others.length > 0)
    return { kind: "ambiguous", readings: specialties.map((one) => ({ kind: "specialty", specialty: one })) };
  if (specialty !== undefined) return { kind: "specialty", specialty };
  const words = plain.split(" ").filter((word) => !fillers.has(word));
  return words.length === 0 ? { kind: "unknown" } : { kind: "words", words: words.join(" ") };
}
