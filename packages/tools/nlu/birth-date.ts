import { AppError } from "@vitaline/core";
import * as z from "zod/mini";
import { daysInMonth } from "./calendar.ts";
import { digitize, joinNumbers, months, numberOf, spanishMonths, type SpokenNumber } from "./numbers.ts";

type SpokenDate = { year?: number; month: number; day: number };

const fillers = new Set(["the", "of", "and", "in", "on", "born", "day", "month", "year"]);

type Token = { month: number } | SpokenNumber | { odd: true };

const tokenOf = (word: string): Token => {
  const month =
    word.length < 3
      ? -1
      : months.findIndex((name) => name === word || name.slice(0, 3) === word || (name === "september" && word === "sept"));
  return month >= 0 ? { month: month + 1 } : (numberOf(word) ?? { odd: true });
};

const numbersIn = (tokens: readonly Token[]): number[] => joinNumbers(tokens.filter((token) => "number" in token));

const validDate = (date: SpokenDate): SpokenDate | undefined =>
  date.month >= 1 && date.month <= 12 && date.day >= 1 && date.day <= daysInMonth(date.year ?? 2000, date.month) ? date : undefined;

/** 1985; nineteen, eighty-five; twenty, oh, three; two thousand. undefined if it is no year, null if none was said. */
function yearOf(values: number[]): number | null | undefined {
  if (values.length === 0) return null;
  const [century = 0, ...rest] = values;
  if (values.length === 1) return century >= 1000 && century <= 9999 ? century : undefined;
  const [a = 0, b] = rest;
  const tail = rest.length === 1 && a >= 10 ? a : rest.length === 2 && a === 0 && b !== undefined && b < 10 ? b : undefined;
  return century >= 18 && century <= 20 && tail !== undefined && tail < 100 ? century * 100 + tail : undefined;
}

/**
 * "1985-03-04", "March 4th, 1985", "the fourth of March nineteen eighty-five", "3/14/1985", "March 4th". "ambiguous" for 03/04/1985,
 * since day and month could be swapped. The same in Spanish.
 */
export function parseSpokenDate(text: string): SpokenDate | "ambiguous" | undefined {
  const plain = text.normalize("NFKC").trim().toLowerCase();
  const iso = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:t.*)?$/.exec(plain) ?? /^(\d{4})(\d{2})(\d{2})$/.exec(plain);
  if (iso) return validDate({ year: Number(iso[1]), month: Number(iso[2]), day: Number(iso[3]) });
  const slashed = /^(\d{1,2})[-/. ](\d{1,2})[-/. ](\d{4})$/.exec(plain);
  if (slashed) return fromNumbers(Number(slashed[1]), Number(slashed[2]), Number(slashed[3]));
  return fromWords(plain) ?? fromWords(inEnglish(plain));
}

function fromNumbers(a: number, b: number, year: number): SpokenDate | "ambiguous" | undefined {
  if (a === b || b > 12) return validDate({ year, month: a, day: b });
  if (a > 12) return validDate({ year, month: b, day: a });
  return "ambiguous";
}

const spanishFillers = new Set(["el", "de", "del", "dia", "naci", "nacio", "ano"]);

/** "cuatro de marzo de mil novecientos ochenta y cinco" → "4 march 1985". */
const inEnglish = (plain: string): string =>
  digitize(
    plain
      .normalize("NFD")
      .replace(/\p{M}/gu, "")
      .split(/[^\p{L}\p{N}]+/u),
    "es",
  )
    .filter((word) => !spanishFillers.has(word))
    .map((word) => months[spanishMonths.indexOf(word)] ?? word)
    .join(" ");

function fromWords(plain: string): SpokenDate | undefined {
  const words = plain.split(/[^\p{L}\p{N}]+/u).filter((word) => word && !fillers.has(word));
  const tokens = words.map(tokenOf);
  const at = tokens.findIndex((token) => "month" in token);
  const month = tokens[at];
  if (!month || !("month" in month) || tokens.some((token, index) => "odd" in token || ("month" in token && index !== at)))
    return undefined;
  const [before, after] = [numbersIn(tokens.slice(0, at)), numbersIn(tokens.slice(at + 1))];
  const [day, years] = before.length > 0 ? [before, after] : [after.slice(0, 1), after.slice(1)];
  const year = yearOf(years);
  if (day.length !== 1 || year === undefined) return undefined;
  return validDate({ ...(year === null ? {} : { year }), month: month.month, day: day[0]! });
}

/** yyyy-mm-dd. */
export const isoDate = ({ year, month, day }: Required<SpokenDate>): string =>
  `${String(year).padStart(4, "0")}-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`;

const earliestBirthDate = "1880-01-01";
/** Today in the easternmost time zone. */
const latestBirthDate = (now: Date): string => new Date(now.getTime() + 14 * 3_600_000).toISOString().slice(0, 10);

const fullDateWanted = "with month, day and year";

/** For a zod transform: yyyy-mm-dd, or an issue. */
export function parseBirthDate(text: string, { issues }: { issues: object[] }): string {
  const date = parseSpokenDate(text);
  if (date !== undefined && date !== "ambiguous" && date.year !== undefined) return isoDate({ ...date, year: date.year });
  issues.push({ code: "custom", input: text, message: date === "ambiguous" ? "with the month spelled out" : fullDateWanted });
  return z.NEVER;
}

/** AppError `invalid_arguments` for a birth date in the future or before 1880. */
export function requirePlausibleBirthDate(dateOfBirth: string, now: Date): void {
  if (dateOfBirth < earliestBirthDate || dateOfBirth > latestBirthDate(now))
    throw new AppError("invalid_arguments", "The date of birth is not plausible.", { fields: { dateOfBirth: fullDateWanted } });
}
