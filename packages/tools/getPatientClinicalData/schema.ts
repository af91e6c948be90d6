import * as z from "zod/mini";

export const categories = ["conditions", "allergies", "vitals", "labs", "medications"] as const;
export type Category = (typeof categories)[number];

/** Beginnings of the words that people and models use. */
const categoryWords: readonly [start: string, category: Category][] = [
  ["condition", "conditions"],
  ["problem", "conditions"],
  ["diagnos", "conditions"],
  ["allerg", "allergies"],
  ["vital", "vitals"],
  ["lab", "labs"],
  ["test", "labs"],
  ["result", "labs"],
  ["med", "medications"],
  ["prescription", "medications"],
  ["drug", "medications"],
];

const wordsOf = (asked: string | readonly string[]): string[] =>
  [asked]
    .flat()
    .join(",")
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => word !== "" && word !== "and");
const everything = new Set(["all", "everything"]);
/** Words that do not choose a category: "lab results" are labs. */
const stopWords = new Set(["results", "signs", "active", "current", "latest", "my", "list", "tests"]);

const CategoryList = z.pipe(
  z.nullish(z.union([z.string().check(z.maxLength(200)), z.array(z.string().check(z.maxLength(60))).check(z.maxLength(20))], "is missing")),
  z.transform((asked: string | string[] | null | undefined, issues): readonly Category[] => {
    const words = wordsOf(asked ?? "");
    const named = words.flatMap((word) => categoryWords.find(([start]) => word.startsWith(start))?.[1] ?? []);
    const unknown = words.some(
      (word) => !everything.has(word) && !stopWords.has(word) && !categoryWords.some(([start]) => word.startsWith(start)),
    );
    if (unknown) issues.issues.push({ code: "custom", input: asked, message: `one or more of ${categories.join(", ")}` });
    return named.length === 0 || words.some((word) => everything.has(word)) ? categories : categories.filter((one) => named.includes(one));
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
export const Measurement = z.object({ name: z.string(), value: z.string(), unit: z.optional(z.string()), date: z.optional(z.string()) });
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
});
export type Output = z.output<typeof Output>;
