import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isoDate, parseSpokenDate } from "./birth-date.ts";

const months = ["January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"];
const units =
  "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split(
    " ",
  );
const tens = ["", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"];
const ordinals =
  "zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth".split(
    " ",
  );

const words = (n: number): string => (n < 20 ? units[n]! : `${tens[Math.floor(n / 10)]}${n % 10 ? `-${units[n % 10]}` : ""}`);
const ordinal = (n: number): string =>
  n < 20 ? ordinals[n]! : n % 10 === 0 ? `${tens[n / 10]!.slice(0, -1)}ieth` : `${tens[Math.floor(n / 10)]} ${ordinals[n % 10]}`;
const suffix = (n: number): string => (n > 3 && n < 21 ? "th" : (["th", "st", "nd", "rd"][n % 10] ?? "th"));
const yearInWords = (year: number): string => {
  if (year % 1000 === 0) return `${units[year / 1000]} thousand`;
  if (year > 2000 && year < 2010) return year % 2 ? `two thousand and ${units[year % 10]}` : `twenty oh ${units[year % 10]}`;
  const tail = year % 100;
  return `${words(Math.floor(year / 100))} ${tail < 10 ? `oh ${units[tail]}` : words(tail)}`;
};

const anyDate = fc
  .date({ min: new Date("1901-01-01T00:00:00Z"), max: new Date("2039-12-31T00:00:00Z"), noInvalidDate: true })
  .map((date) => ({ year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() }))
  .filter(({ year }) => year % 100 !== 0 || year === 2000);

describe("a date that was said", () => {
  it("is the same date in every way of saying it", () => {
    fc.assert(
      fc.property(anyDate, (date) => {
        const { year, month, day } = date;
        const name = months[month - 1]!;
        const ways = [
          isoDate(date),
          `${name} ${day}, ${year}`,
          `${name} ${day}${suffix(day)} ${year}`,
          `${day} ${name.slice(0, 3)} ${year}`,
          `the ${ordinal(day)} of ${name}, ${yearInWords(year)}`,
          `${name.toUpperCase()} ${ordinal(day)} ${yearInWords(year)}`,
          ...(day > 12 ? [`${month}/${day}/${year}`, `${day}.${month}.${year}`] : []),
        ];
        for (const way of ways) expect(parseSpokenDate(way), way).toEqual(date);
      }),
      { numRuns: 500 },
    );
  });

  it("is asked for again when two readings are possible", () => {
    expect(parseSpokenDate("03/04/1985")).toBe("ambiguous");
    expect(parseSpokenDate("04/04/1985")).toEqual({ year: 1985, month: 4, day: 4 });
  });

  it("is understood in Spanish", () => {
    for (const [said, date] of [
      ["cuatro de marzo de mil novecientos ochenta y cinco", "1985-03-04"],
      ["El 1 de enero del 2003", "2003-01-01"],
      ["primero de septiembre de dos mil tres", "2003-09-01"],
      ["nací el treinta y uno de diciembre de 1999", "1999-12-31"],
    ])
      expect(isoDate(parseSpokenDate(said!) as Required<{ year: number; month: number; day: number }>), said).toBe(date);
    expect(parseSpokenDate("30 de febrero de 1990")).toBeUndefined();
  });

  it("is none when the calendar has no such day or the words are no date", () => {
    for (const text of [
      "February 30th 1990",
      "2023-02-29",
      "13/13/2000",
      "March 1985 5 7",
      "yesterday",
      "",
      "March",
      "the fourth",
      "99",
      "March fourth eighty five thousand",
    ])
      expect(parseSpokenDate(text), text).toBeUndefined();
  });

  it("never fails on any text", () => {
    fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => void expect(() => parseSpokenDate(text)).not.toThrow()));
  });
});
