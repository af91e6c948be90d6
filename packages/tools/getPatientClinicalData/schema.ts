import { withoutAccents } from "../nlu/names.ts";
import * as z from "zod/mini";

export const categories = ["conditions", "allergies", "vitals", "labs", "medications"] as const;
export type Category = (typeof categories)[number];

/** Beginnings of the words that people and models use. */
const categoryWords: readonly [start: string, category: Category][] = [
  ["blood pressure", "vitals"],
  ["heart rate", "vitals"],
  ["presion", "vitals"],
  ["signos", "vitals"],
  ["condition", "conditions"],
  ["problem", "conditions"],
  ["diagnos", "conditions"],
  ["allerg", "allergies"],
  ["alerg", "allergies"],
  ["vital", "vitals"],
  ["lab", "labs"],
  ["test", "labs"],
  ["result", "labs"],
  ["blood", "labs"],
  ["analisis", "labs"],
  ["sangre", "labs"],
  ["med", "medications"],
  ["prescription", "medications"],
  ["receta", "medications"],
  ["drug", "medications"],
];
/** Some are of two words, with a space, a hyphen or an underscore between. */
const words =
  /blood[ _-]pressure|heart[ _-]rate|blood[ _-](?:work|tests?|results?|sugar)|signos[ _-]vitales|analisis[ _-]de[ _-]sangre|[a-z]+/g;

const wordsOf = (asked: string | readonly string[]): string[] =>
  (withoutAccents([asked].flat().join(",")).toLowerCase().match(words) ?? []).map((word) => word.replaceAll(/[_-]/g, " "));
const everything = new Set(["all", "everything", "todo", "todos"]);
/** Words that do not choose a category. */
const stopWords = new Set(
  [
    "a about and are can did do for get give have had i is last latest list me most my now of on please recent s say show signs tell the to was were",
    "what which with you active any current new de del el en es fueron hay la las los me mi mis mas puede que cuales son tengo ultimo ultimos un y",
  ].flatMap((line) => line.split(" ")),
);
/** What labs are, of all that may be asked for: "my last results". */
const isFirst = (one: Category, named: readonly Category[]): boolean => one === "labs" && named[0] === "labs";

const CategoryList = z.pipe(
  z.nullish(z.union([z.string().check(z.maxLength(200)), z.array(z.string().check(z.maxLength(60))).check(z.maxLength(20))], "is missing")),
  z.transform((asked: string | string[] | null | undefined, issues): readonly Category[] => {
    const said = wordsOf(asked ?? "");
    const named = said.flatMap((word) => categoryWords.find(([start]) => word.startsWith(start))?.[1] ?? []);
    const unknown = said.some(
      (word) => !everything.has(word) && !stopWords.has(word) && !categoryWords.some(([start]) => word.startsWith(start)),
    );
    if (unknown) issues.issues.push({ code: "custom", input: asked, message: `one or more of ${categories.join(", ")}` });
    const wanted =
      named.length === 0 || said.some((word) => everything.has(word)) ? categories : categories.filter((one) => named.includes(one));
    return wanted.toSorted((a, b) => Number(isFirst(b, named)) - Number(isFirst(a, named)));
  }),
);
z.globalRegistry.add(CategoryList, {
  type: "array",
  items: { type: "string", enum: [...categories] },
  description: "What the caller asks about; all of it when left out",
});

export const Input = z.object({ categories: z.optional(CategoryList) });
export type Input = z.output<typeof Input>;

/** `date` is as exact as the record: 2026-10-03, 2026-10 or 2026. */
export const Measurement = z.object({
  name: z.string(),
  value: z.string(),
  unit: z.optional(z.string()),
  date: z.optional(z.string()),
  preliminary: z.optional(z.literal(true)),
});
export type Measurement = z.output<typeof Measurement>;

export const Allergy = z.object({ to: z.string(), reactions: z.array(z.string()) });
export type Allergy = z.output<typeof Allergy>;

const Medication = z.object({ name: z.string(), dosage: z.optional(z.string()) });
type Medication = z.output<typeof Medication>;

export const Found = z.object({
  conditions: z.optional(z.array(z.string())),
  allergies: z.optional(z.array(Allergy)),
  /** Recorded as "no known allergies", in the record's words. */
  noKnownAllergies: z.optional(z.string()),
  vitals: z.optional(z.array(Measurement)),
  labs: z.optional(z.array(Measurement)),
  medications: z.optional(z.array(Medication)),
});
export type Found = z.output<typeof Found>;

export const Output = z.extend(Found, {
  /** Not read in time, or failed. */
  missing: z.array(z.enum(categories)),
  notSupported: z.array(z.enum(categories)),
  /** The caller asks for results. */
  labsFirst: z.optional(z.literal(true)),
});
export type Output = z.output<typeof Output>;
