import { normalizeName } from "../names.ts";

/** A specialty's name, how recorded names of it begin, and what people call it, in English and Spanish. */
type Specialty = { name: string; starts: readonly string[]; called: readonly string[] };

const named = (name: string, starts: string, called: string): Specialty => ({
  name,
  starts: starts.split(", "),
  called: called.split(" ").filter(Boolean),
});

const specialties: readonly Specialty[] = [
  named("cardiology", "cardio", "heart cardiac corazon cardiologo cardiologa cardiologia"),
  named(
    "dermatology",
    "dermato",
    "skin rash mole acne piel dermatologo dermatologa dermatologia eczema psoriasis lunar lunares sarpullido ronchas",
  ),
  named(
    "orthopedics",
    "orthop",
    "bone bones joint joints knee knees hip shoulder orthopedist orthopaedics hueso huesos rodilla cadera ortopedista ortopedia traumatologo back spine neck ankle wrist elbow fracture espalda columna tobillo muneca hombro codo cuello fractura traumatologa",
  ),
  named(
    "pediatrics",
    "pediatr",
    "child children childrens kids kid baby paediatrics paediatrician ninos nino nina bebe pediatra pediatria",
  ),
  named(
    "gynecology",
    "gyneco",
    "womens obgyn gyn gynaecologist gynaecology ginecologo ginecologa ginecologia mujer mujeres pap papanicolaou menstrual menopause menopausia",
  ),
  named("obstetrics", "obstetr", "pregnancy prenatal obgyn embarazo obstetra obstetricia prenatal pregnant embarazada"),
  named(
    "ophthalmology",
    "ophthalm",
    "eye eyes ojo ojos oculista oftalmologo oftalmologa oftalmologia glasses vision cataracts lentes vista cataratas",
  ),
  named("otolaryngology", "otolaryng", "ear ears nose throat ent oido oidos nariz garganta otorrino otorrinolaringologo"),
  named(
    "neurology",
    "neuro",
    "brain nerve nerves migraine cerebro nervios neurologo neurologa neurologia headache headaches migraines seizures memory dizziness migrana migranas convulsiones memoria mareos",
  ),
  named(
    "gastroenterology",
    "gastro",
    "stomach gut digestive bowel gi estomago gastroenterologo gastroenterologa digestivo reflux colonoscopy endoscopy reflujo colonoscopia endoscopia",
  ),
  named("pulmonology", "pulmon", "lung lungs breathing pulmones pulmon neumologo neumologa neumologia asthma copd asma"),
  named("nephrology", "nephro", "kidney kidneys rinon rinones nefrologo nefrologa nefrologia"),
  named("urology", "uro", "bladder prostate urology urologist vejiga prostata urologo urologa urologia urine uti orina"),
  named("endocrinology", "endocrin", "diabetes thyroid hormone hormones tiroides hormonas endocrinologo endocrinologa"),
  named("oncology", "oncolog", "cancer oncologo oncologa oncologia tumor chemo chemotherapy quimioterapia"),
  named("psychiatry", "psychiatr", "mental psiquiatra psiquiatria adhd bipolar"),
  named("rheumatology", "rheumato", "arthritis artritis reumatologo reumatologa reumatologia lupus"),
  named("allergy", "allerg", "allergies alergia alergias alergologo alergista allergic alergico alergica"),
  named("podiatry", "podiatr", "foot feet toe toenail pie pies podologo podologa podiatra"),
  named("dentistry", "dent", "dentist dentista tooth teeth toothache dental muela muelas diente dientes"),
  named("nutrition", "nutrit, diet", "dietitian dietician nutritionist diet nutriologo nutriologa nutricionista dieta"),
  named("hematology", "hemato", "anemia hematologo hematologa"),
  named("sleep medicine", "sleep", "sleep apnea snoring apnea ronquidos insomnia insomnio"),
  named("surgery", "surg", "surgeon surgery hernia cirujano cirujana cirugia"),
  named("primary care", "general practice", "family primary gp general regular familia familiar cabecera"),
  named("primary care", "family", "gp primary general regular familia familiar cabecera"),
  named("primary care", "internal", "internist primary internista interna"),
];

const stopWords = new Set(
  "doctor doctors doctora doctores dr specialist specialists especialista especialistas physician medico medica care health salud a an the un una el la los las medicine medicina practice clinic for and para y de del provider".split(
    " ",
  ),
);

/** "cardiologist" and "cardiology" have one stem, as do "pediatrician" and "pediatrics". */
const stemOf = (word: string): string => (word.length > 7 ? word.replace(/(?:olog(?:ist|ists|y)|ician|icians|ics|ist|ists|y)$/, "") : word);

const contentWords = (said: string): string[] =>
  normalizeName(said)
    .split(" ")
    .filter((word) => word !== "" && !stopWords.has(word));

/** "heart doctor", "cardiologist", "primary care" and "médico del corazón" match a recorded specialty. */
export function matchesSpecialty(recorded: string, said: string): boolean {
  const known = normalizeName(recorded);
  const words = contentWords(said);
  const begins = (start: string): boolean => known.startsWith(start) || known.includes(` ${start}`);
  if (words.length === 0) return begins(normalizeName(said));
  return words.some(
    (word) => begins(stemOf(word)) || specialties.some(({ starts, called }) => called.includes(word) && starts.some(begins)),
  );
}

/** The specialties that the words name: "heart doctor" → ["cardiology"]. */
export const specialtiesIn = (said: string): string[] => [
  ...new Set(
    contentWords(said).flatMap((word) =>
      specialties
        .filter(({ starts, called }) => called.includes(word) || starts.some((start) => start.length > 3 && word.startsWith(start)))
        .map(({ name }) => name),
    ),
  ),
];
