import { normalName } from "./names.ts";

/** What people call a doctor or a part of the body, and what the record calls the specialty; each by how its name begins. */
const synonyms: Record<string, readonly string[]> = {
  cardio: ["heart", "cardiac"],
  dermato: ["skin"],
  orthop: ["bone", "bones", "joint", "joints", "knee", "knees", "hip", "orthopedist", "orthopaedics"],
  pediatr: ["child", "children", "childrens", "kids", "kid", "baby", "paediatrics", "paediatrician"],
  gyneco: ["womens", "obgyn", "gynaecologist", "gynaecology"],
  obstetr: ["pregnancy", "obgyn"],
  ophthalm: ["eye", "eyes"],
  otolaryng: ["ear", "ears", "nose", "throat", "ent"],
  neuro: ["brain", "nerve", "nerves"],
  gastro: ["stomach", "gut", "digestive", "bowel"],
  pulmon: ["lung", "lungs", "breathing"],
  nephro: ["kidney", "kidneys"],
  uro: ["bladder", "prostate"],
  endocrin: ["diabetes", "thyroid", "hormone", "hormones"],
  oncolog: ["cancer"],
  psychiatr: ["mental"],
  rheumato: ["arthritis"],
  allerg: ["allergies"],
  "general practice": ["family", "primary", "gp", "general", "regular"],
  family: ["gp", "primary", "general", "regular"],
  internal: ["internist", "primary"],
};

const idle = new Set([
  "doctor",
  "doctors",
  "dr",
  "specialist",
  "specialists",
  "physician",
  "care",
  "health",
  "a",
  "an",
  "the",
  "medicine",
  "practice",
  "clinic",
  "for",
  "and",
  "provider",
]);

/** "cardiologist" and "cardiology" begin alike, as do "pediatrician" and "pediatrics". */
const stemOf = (word: string): string => (word.length > 7 ? word.replace(/(?:olog(?:ist|ists|y)|ician|icians|ics|ist|ists|y)$/, "") : word);

/** Whether a specialty (its name in the record) is what the caller says: "heart doctor", "cardiologist", "primary care". */
export function isSpecialty(recorded: string, said: string): boolean {
  const known = normalName(recorded);
  const words = normalName(said)
    .split(" ")
    .filter((word) => word !== "" && !idle.has(word));
  const begins = (start: string): boolean => known.startsWith(start) || known.includes(` ${start}`);
  if (words.length === 0) return begins(normalName(said));
  return words.some(
    (word) => begins(stemOf(word)) || Object.entries(synonyms).some(([start, called]) => called.includes(word) && begins(start)),
  );
}
