import * as z from "zod/mini";

export const categories = ["conditions", "allergies", "vitals", "labs", "medications"] as const;
export type Category = (typeof categories)[number];

/** Beginnings of what people and models call them. */
const calledBy: readonly [start: string, category: Category][] = [
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
/** "lab results", "vital signs" and "active medications" mean the other word. */
const idle = new Set(["results", "signs", "active", "current", "latest", "my", "list", "tests"]);

const some = z.pipe(
  z.nullish(z.union([z.string().check(z.maxLength(200)), z.array(z.string().check(z.maxLength(60))).check(z.maxLength(20))], "is missing")),
  z.transform((asked: string | string[] | null | undefined, issues): readonly Category[] => {
    const words = wordsOf(asked ?? "");
    const named = words.flatMap((word) => calledBy.find(([start]) => word.startsWith(start))?.[1] ?? []);
    const unknown = words.some((word) => !everything.has(word) && !idle.has(word) && !calledBy.some(([start]) => word.startsWith(start)));
    if (unknown) issues.issues.push({ code: "custom", input: asked, message: `one or more of ${categories.join(", ")}` });
    return named.length === 0 || words.some((word) => everything.has(word)) ? categories : categories.filter((one) => named.includes(one));
  }),
);
z.globalRegistry.add(some, {
  type: "array",
  items: { type: "string", enum: [...categories] },
  description: "What the caller asks about; all of it when left out",
});

export const Input = z.object({ categories: z.optional(some) });
export type Input = z.output<typeof Input>;
