import fc from "fast-check";
import { expect, it } from "vitest";
import { readWhen } from "./read-when.ts";
import type { TimeReading } from "./parse-state/reading.ts";

const hours = { start: "09:00", end: "17:00", timezone: "America/New_York", days: { saturday: null, sunday: null } };
const instants = fc.date({ min: new Date("2024-01-01T00:00:00Z"), max: new Date("2033-12-31T00:00:00Z"), noInvalidDate: true });
const zones = fc.constantFrom("America/New_York", "America/Phoenix", "Pacific/Honolulu", "Australia/Lord_Howe");
const pieces =
  "the on at in to from until before after between and or not no next this last any every day week month year monday friday sunday may march february december 29th 31st 30 12 3 0 9:30 25:99 13/13 11/12 2027-02-29 am pm noon morning afternoon tonight tomorrow half quarter past twenty first week of end beginning ago el la de a las y media menos cuarto manana pasado proximo lunes enero que viene por tarde dentro en quince semanas hasta o".split(
    " ",
  );
const sentences = fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 9 }).map((words) => words.join(" "));
const isDay = (day: string) => new Date(`${day}T00:00:00Z`).toISOString().slice(0, 10) === day;

const readingsIn = (text: string, now: Date, timeZone: string): TimeReading[] => {
  const read = readWhen(text, { now, timeZone, hours });
  if (read.kind === "ambiguous") {
    expect(read.readings.length, text).toBeGreaterThan(1);
    return read.readings;
  }
  return read.kind === "reading" ? [read] : [];
};

it("a reading has days of the calendar and times of the clock, in order, on any day and in any zone", () => {
  fc.assert(
    fc.property(sentences, instants, zones, (text, now, zone) => {
      for (const { dates = [], time, window } of readingsIn(text, now, zone)) {
        for (const { from, until = from } of dates) expect([isDay(from), isDay(until), from <= until], text).toEqual([true, true, true]);
        expect(time === undefined || (Number.isInteger(time) && time >= 0 && time < 1440), text).toBe(true);
        expect(window === undefined || (window.from >= 0 && window.from < window.until && window.until <= 1440), text).toBe(true);
        expect(time === undefined || window === undefined, text).toBe(true);
      }
    }),
    { numRuns: 600 },
  );
});

it("no text fails, and a text longer than any such phrase is not read", () => {
  const context = { now: new Date("2026-11-25T15:00:00Z"), timeZone: "America/New_York", hours };
  fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => void expect(() => readWhen(text, context)).not.toThrow()));
  expect(readWhen(`tomorrow ${"please ".repeat(40)}`, context)).toEqual({ kind: "unknown" });
});

it("the language of the call decides only where the words do not tell", () => {
  const context = { now: new Date("2026-11-25T15:00:00Z"), timeZone: "America/New_York", hours };
  expect(readWhen("once", { ...context, language: "es" })).toMatchObject({ time: 660 });
  expect(readWhen("mañana a las once", { ...context, language: "en" })).toMatchObject({ time: 660 });
  expect(readWhen("tomorrow at eleven", { ...context, language: "es" })).toMatchObject({ time: 660 });
});

const periods = fc.constantFrom(
  "next week",
  "this week",
  "monday or tuesday",
  "december",
  "the first week of january",
  "any weekday",
  "tomorrow",
);
const refusedDays = fc.constantFrom("monday", "tuesdays", "wednesday", "fridays", "monday or thursday");
const namesIn = (text: string): string[] => text.replace(/s\b/g, "").split(" or ");

it("a day that the caller refuses is in no reading", () => {
  fc.assert(
    fc.property(periods, refusedDays, instants, (period, refused, now) => {
      for (const { dates = [] } of readingsIn(`${period} but not ${refused}`, now, "America/New_York"))
        for (const { from, until = from } of dates)
          for (let day = new Date(`${from}T00:00:00Z`); day <= new Date(`${until}T00:00:00Z`); day.setUTCDate(day.getUTCDate() + 1))
            expect(namesIn(refused), `${period} but not ${refused}`).not.toContain(
              day.toLocaleDateString("en-US", { weekday: "long", timeZone: "UTC" }).toLowerCase(),
            );
    }),
    { numRuns: 200 },
  );
});

const wednesday = { now: new Date("2026-11-25T15:00:00Z"), timeZone: "America/New_York", hours };
const aroundWishes = {
  en: "um yeah WISH|WISH works best|I'd rather do WISH|my son needs to come in WISH|WISH for about thirty minutes|good morning WISH|WISH is all I've got|I can't come any time but WISH|my daughter said WISH works|I've got WISH open|before I forget WISH|my car's in the shop so WISH|they told me WISH|WISH or whenever you have something",
  es: "este WISH por favor|de preferencia WISH|WISH que es cuando descanso|es para mi mamá WISH|buenos días WISH|no puedo más que WISH|mi esposo me lleva WISH|WISH para los dos|trabajo así que WISH|pos WISH yo creo|se me hace más fácil WISH|primero Dios WISH|me dijeron WISH",
};
const wishes = {
  en: ["tuesday", "tuesday at ten", "tuesday or thursday", "next week", "december tenth at two", "any morning next week"],
  es: ["el martes", "el martes a las diez", "martes o jueves", "la próxima semana", "el diez de diciembre a las dos"],
};
const filled = (frames: string, words: readonly string[]): [said: string, words: string][] =>
  frames.split("|").flatMap((frame) => words.map((one): [string, string] => [frame.replace("WISH", one), one]));

it.each(["en", "es"] as const)("what is said around a wish leaves it as it is (%s)", (language) => {
  const plain = (text: string) => {
    const read = readWhen(text, wednesday);
    return read.kind === "reading" ? { ...read, isApproximate: false } : read;
  };
  for (const [said, wish] of filled(aroundWishes[language], wishes[language])) {
    expect(plain(wish), wish).toMatchObject({ kind: "reading" });
    expect(plain(said), said).toEqual(plain(wish));
  }
});

const refusals = {
  en: "I can't do WISH|WISH doesn't work for me|anything but WISH|I work WISH|WISH I'm busy|please not WISH|WISH would be a problem|WISH is off the table|hard no on WISH|as long as it's not WISH|WISH I already have an appointment|WISH is difficult|I'd rather not WISH|WISH is when I work",
  es: "no puedo WISH|WISH no|que no sea WISH|cualquier día menos WISH|lo que sea menos WISH|WISH me viene mal|WISH trabajo|WISH para nada|WISH tampoco|WISH me es difícil|odio WISH|evite WISH|WISH no tengo quien me lleve|WISH se me complica",
};
const tuesday = "2026-12-01";
const refused = { en: ["tuesday", "tuesdays", "next week"], es: ["el martes", "los martes", "la próxima semana"] };

it.each(["en", "es"] as const)("a day that a caller refuses in any words is in no reading (%s)", (language) => {
  for (const [said] of filled(refusals[language], refused[language])) {
    const days = readingsIn(said, wednesday.now, wednesday.timeZone).map(({ dates }) => dates ?? [{ from: tuesday }]);
    const offered = days.flat().filter(({ from, until = tuesday }) => from <= tuesday && tuesday <= until);
    expect(offered, said).toEqual([]);
  }
});
