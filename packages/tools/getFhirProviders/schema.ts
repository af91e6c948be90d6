import * as z from "zod/mini";
import { optionalText } from "../sdk/arguments.ts";
import { normalizeName } from "../nlu/names.ts";
import { wordsWithoutTitles } from "../nlu/who/match-names.ts";
import { readDoctor } from "../nlu/who/read-doctor.ts";

const Fields = z.object({
  name: optionalText(80).check(z.describe('The provider as the caller says: "Dr. Larkmere", "a female doctor"')),
  specialty: optionalText(80).check(z.describe('A specialty, in the caller\'s words: "cardiology", "heart doctor"')),
  location: optionalText(80).check(z.describe("The clinic or town, or part of its name")),
});
type Fields = z.output<typeof Fields>;

type Wish = { name?: string; specialty?: string; location?: string; gender?: "female" | "male"; isUsual?: true };

/** A kind of doctor is a specialty; "I'd like Dr. Larkmere" names Larkmere. */
function wishOf({ name, specialty, location }: Fields): Wish {
  const others = { ...(specialty ? { specialty } : {}), ...(location ? { location } : {}) };
  if (name === undefined) return others;
  const read = readDoctor(name);
  switch (read.kind) {
    case "any":
      return others;
    case "usual":
      return { ...others, isUsual: true };
    case "specialty":
      return { specialty: read.specialty, ...others };
    case "gender":
      return { ...(read.specialty ? { specialty: read.specialty } : {}), ...others, gender: read.gender };
    case "name":
      return { ...others, name: wordsWithoutTitles(normalizeName(name).split(" ")).join(" ") === read.name ? name : read.name };
    case "ambiguous":
    case "unknown":
      return { ...others, name };
  }
}

export const Input = z.pipe(Fields, z.transform(wishOf));
export type Input = z.output<typeof Input>;

const Gender = z.enum(["female", "male"]);

export const Provider = z.object({
  name: z.string(),
  specialties: z.array(z.string()),
  locations: z.array(z.string()),
  gender: z.optional(Gender),
});
export type Provider = z.output<typeof Provider>;

export const Output = z.object({
  providers: z.array(Provider),
  more: z.number(),
  /** "female", "male": there is none, so these are others. "gender": the server does not tell. */
  instead: z.optional(z.enum(["female", "male", "gender"])),
  /** The caller asked for the doctor whom they see already, which this tool does not know. */
  isUsual: z.optional(z.literal(true)),
});
export type Output = z.output<typeof Output>;
