import * as z from "zod/mini";
import { line, optionalLine } from "../http/fields.ts";

/** Short enough that the model of a voice agent gets the whole of a fact in one answer. */
const maxText = 400;
const maxLines = 24;
const maxLine = 80;
const maxLinesText = 600;
export const maxQuestions = 12;
export const maxHolidays = 30;

export const factTexts = ["directions", "parking", "telehealth", "afterHours"] as const;
export type FactText = (typeof factTexts)[number];
export const factLists = ["insurance", "selfPayPrices", "whatToBring", "languages"] as const;
export type FactList = (typeof factLists)[number];

/** null and an empty list count as absent. */
const optionalList = <List extends z.ZodMiniType<unknown[]>>(list: List) =>
  z.optional(
    z.pipe(
      z.nullable(list),
      z.transform((items: z.output<List> | null): z.output<List> | undefined => (items && items.length > 0 ? items : undefined)),
    ),
  );

const optionalLines = optionalList(
  z.array(line(maxLine)).check(
    z.maxLength(maxLines, `Must be at most ${maxLines} lines`),
    z.refine((lines) => lines.join("").length <= maxLinesText, `Must be at most ${maxLinesText} characters`),
  ),
);

/** A day on which the office is closed. */
export const Holiday = z.strictObject({ date: z.iso.date("Enter a date such as 2026-12-25"), name: line(60, "Enter a name") });
export type Holiday = z.infer<typeof Holiday>;

/** In the office's own words. */
export const OfficeQuestion = z.strictObject({ question: line(120, "Enter a question"), answer: line(maxText, "Enter an answer") });
export type OfficeQuestion = z.infer<typeof OfficeQuestion>;

/** What voice agents may tell any caller about an office; no patient data. Absent, null and blank: inherited from the tenant. */
export const OfficeFactsChange = z
  .strictObject({
    directions: optionalLine(maxText),
    parking: optionalLine(maxText),
    telehealth: optionalLine(maxText),
    afterHours: optionalLine(maxText),
    insurance: optionalLines,
    selfPayPrices: optionalLines,
    whatToBring: optionalLines,
    languages: optionalLines,
    holidays: optionalList(
      z.array(Holiday).check(
        z.maxLength(maxHolidays, `Must be at most ${maxHolidays} days`),
        z.refine((all) => new Set(all.map(({ date }) => date)).size === all.length, "Must not name a day twice"),
      ),
    ),
    questions: optionalList(z.array(OfficeQuestion).check(z.maxLength(maxQuestions, `Must be at most ${maxQuestions} questions`))),
  })
  .check(z.describe("What voice agents may tell any caller. Blank and empty: inherited."));
export type OfficeFactsChange = z.infer<typeof OfficeFactsChange>;

/** In responses. A null text and an empty list: not set. */
export const OfficeFacts = z.object({
  directions: z.nullable(z.string()),
  parking: z.nullable(z.string()),
  telehealth: z.nullable(z.string()),
  afterHours: z.nullable(z.string()),
  insurance: z.array(z.string()),
  selfPayPrices: z.array(z.string()),
  whatToBring: z.array(z.string()),
  languages: z.array(z.string()),
  holidays: z.array(z.object({ date: z.string(), name: z.string() })),
  questions: z.array(z.object({ question: z.string(), answer: z.string() })),
});
export type OfficeFacts = z.infer<typeof OfficeFacts>;
