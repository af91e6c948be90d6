import { normalizeName } from "./names.ts";

/** Prefixes of specialties, with common words for them. */
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

const stopWords = new Set([
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

/** "cardiologist" and "cardiology" have one stem, as do "pediatrician" and "pediatrics". */
const stemOf = (word: string): string => (word.length > 7 ? word.replace(/(?:olog(?:ist|ists|y)|ician|icians|ics|ist|ists|y)$/, "") : word);

/** "heart doctor", "cardiologist" and "primary care" match a recorded specialty. */
export function matchesSpecialty(recorded: string, said: string): boolean {
  const known = normalizeName(recorded);
  const words = normalizeName(said)
    .split(" ")
    .filter((word) => word !== "" && !stopWords.has(word));
  const begins = (start: string): boolean => known.startsWith(start) || known.includes(` ${start}`);
  if (words.length === 0) return begins(normalizeName(said));
  return words.some(
    (word) => begins(stemOf(word)) || Object.entries(synonyms).some(([start, called]) => called.includes(word) && begins(start)),
  );
}
