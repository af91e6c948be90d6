import { factLists, factTexts } from "@vitaline/contract";
import * as z from "zod/mini";
import { optionalText } from "../sdk/arguments.ts";
import { officeTopics } from "../nlu/office-topics.ts";

export const Input = z.object({
  topic: optionalText(200).check(z.describe('In their words: "parking", "do you take Aetna?"')),
  location: optionalText(80).check(z.describe("An office they name")),
});
export type Input = z.output<typeof Input>;

/** Minutes after midnight. */
const Window = z.object({ opens: z.number(), closes: z.number() });
export type Window = z.output<typeof Window>;
/** `windows`: between its breaks; absent if there are none. */
const Opening = z.extend(Window, { windows: z.optional(z.array(Window)) });
export type Opening = z.output<typeof Opening>;

const Hours = z.object({
  topic: z.literal("hours"),
  today: z.string(),
  isOpenNow: z.boolean(),
  /** The asked day, else today; `open` is null if the office is closed on it. */
  day: z.object({ date: z.string(), isAsked: z.boolean(), open: z.nullable(Opening), holiday: z.nullable(z.string()) }),
  /** Of today's windows, those that are not over. Absent if today has no breaks. */
  left: z.optional(z.array(Window)),
  /** The next opening, on or after the day; null while the office is open, or if it does not open. */
  opensAt: z.nullable(z.string()),
  /** For the model: "Monday to Friday 9 AM to 5 PM", "Saturday and Sunday closed". */
  week: z.array(z.string()),
  /** The next ones: "2026-12-25 Christmas Day". */
  holidays: z.array(z.string()),
  timeZone: z.string(),
});
export type Hours = z.output<typeof Hours>;

export const Answer = z.discriminatedUnion("topic", [
  Hours,
  z.object({ topic: z.enum(["address", "directions"]), address: z.nullable(z.string()), directions: z.nullable(z.string()) }),
  z.object({ topic: z.enum(["phone", "email", ...factTexts.filter((name) => name !== "directions")]), text: z.string() }),
  z.object({
    topic: z.enum(factLists),
    lines: z.array(z.string()),
    /** The lines that the caller asked about; empty if there are none. Absent if the caller asked about all. */
    asked: z.optional(z.array(z.string())),
  }),
  z.object({ topic: z.literal("question"), question: z.string(), answer: z.string() }),
  z.object({ topic: z.literal("unknown"), asked: z.nullable(z.enum(officeTopics)) }),
]);
export type Answer = z.output<typeof Answer>;

export const Output = z.object({
  /** null: it holds for all offices. */
  office: z.nullable(z.string()),
  answers: z.array(Answer),
  /** Another office would be answered otherwise. */
  isOfOne: z.optional(z.boolean()),
  /** What else is known: topics and the office's own questions. Without a topic, or with an unknown one. */
  otherTopics: z.optional(z.array(z.string())),
  /** The offices to choose from, if the answer depends on it. */
  offices: z.optional(z.array(z.string())),
  isUnknownOffice: z.optional(z.boolean()),
});
export type Output = z.output<typeof Output>;
