import { AppError } from "@vitaline/core";
import * as z from "zod/mini";
import { isoDate, parseSpokenDate } from "./spoken-date.ts";

const firstBirth = "1880-01-01";
/** Today, wherever it is latest. */
const lastBirth = (now: Date): string => new Date(now.getTime() + 14 * 3_600_000).toISOString().slice(0, 10);

const whole = "with month, day and year";

/** For a zod transform: yyyy-mm-dd of a date as it was spoken, or the issue that asks for it again. */
export function readBirthDate(text: string, { issues }: { issues: object[] }): string {
  const date = parseSpokenDate(text);
  if (date !== undefined && date !== "ambiguous" && date.year !== undefined) return isoDate({ ...date, year: date.year });
  issues.push({ code: "custom", input: text, message: date === "ambiguous" ? "with the month by its name" : whole });
  return z.NEVER;
}

/** AppError `invalid_arguments` about `dateOfBirth` for a day on which nobody alive was born. */
export function requireLivingBirth(dateOfBirth: string, now: Date): void {
  if (dateOfBirth < firstBirth || dateOfBirth > lastBirth(now))
    throw new AppError("invalid_arguments", "Nobody alive was born then.", { fields: { dateOfBirth: whole } });
}
