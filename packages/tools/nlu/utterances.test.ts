import { readFileSync } from "node:fs";
import { type BusinessHours, weekdays } from "@vitaline/contract";
import { expect, it } from "vitest";
import { instantIn } from "./calendar.ts";
import { readOfficeTopics } from "./office-topics.ts";
import { type DoctorReading, readDoctor } from "./who/read-doctor.ts";
import { readService, type ServiceReading } from "./who/read-service.ts";
import type { WhenReading } from "./when/parse-state/reading.ts";
import { readWhen } from "./when/read-when.ts";

const [, ...rows] = readFileSync(new URL("../../../test/utterances.tsv", import.meta.url), "utf8")
  .trimEnd()
  .split("\n");
const corpus = rows.map((row) => {
  const [kind = "", language = "", utterance = "", now = "", timeZone = "", hours = "", reading = ""] = row.split("\t");
  return { kind, language, utterance, now, timeZone, hours, reading };
});
type Row = (typeof corpus)[number];

const shortDay = (day: string): string => day.slice(0, 2);

/** "mo-fr 09:00-17:00; sa 09:00-12:00"; closed on other days. */
function hoursOf({ hours, timeZone }: Row): BusinessHours | undefined {
  if (hours === "-") return undefined;
  const days: NonNullable<BusinessHours["days"]> = Object.fromEntries(weekdays.map((day) => [day, null]));
  for (const part of hours.split("; ")) {
    const [, from = "", to = from, start = "", end = ""] = /^(\w\w)(?:-(\w\w))? (.{5})-(.{5})$/.exec(part) ?? [];
    const [first, last] = [from, to].map((name) => weekdays.findIndex((day) => shortDay(day) === name));
    for (const day of weekdays.slice(first, last! + 1)) days[day] = { start, end };
  }
  return { start: "09:00", end: "17:00", timezone: timeZone, days };
}

const clock = (minutes: number): string => `${String(Math.floor(minutes / 60)).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}`;

/** "~2026-12-01..2026-12-03,2026-12-05 12:00-17:00 or …": `~` is approximate, ".." without an end is open. */
function inShort(read: WhenReading): string {
  if (read.kind === "unknown") return "unknown";
  if (read.kind === "ambiguous") return read.readings.map((one) => inShort(one)).join(" or ");
  const { dates = [], time, window, isApproximate } = read;
  const days = dates.map(({ from, until }) => (from === until ? from : `${from}..${until ?? ""}`)).join(",");
  const times = time === undefined ? (window ? `${clock(window.from)}-${clock(window.until)}` : "") : clock(time);
  return `${isApproximate ? "~" : ""}${[days, times].filter(Boolean).join(" ")}` || "any";
}

function inWords(read: DoctorReading | ServiceReading): string {
  if (read.kind === "ambiguous") return read.readings.map((one) => inWords(one)).join(" or ");
  if (read.kind === "gender") return [read.gender, read.specialty].filter(Boolean).join(" ");
  return Object.values(read).join(" ");
}

const readRow = (row: Row): string => {
  if (row.kind === "doctor") return inWords(readDoctor(row.utterance));
  if (row.kind === "service") return inWords(readService(row.utterance));
  if (row.kind === "topic") return readOfficeTopics(row.utterance).join(", ") || "unknown";
  const [day = "", time = ""] = row.now.split("T");
  const now = instantIn(row.timeZone, day, Number(time.slice(0, 2)) * 60 + Number(time.slice(3)));
  return inShort(readWhen(row.utterance, { now, timeZone: row.timeZone, hours: hoursOf(row) }));
};

const misread = (rowsOfGroup: Row[]): string[] =>
  rowsOfGroup.flatMap((row) => {
    const read = readRow(row);
    return read === row.reading ? [] : [`${row.utterance} (${row.now} ${row.hours}): ${read}, not ${row.reading}`];
  });

it.each([
  ["when", "en"],
  ["when", "es"],
  ["doctor", "en"],
  ["doctor", "es"],
  ["service", "en"],
  ["service", "es"],
  ["topic", "en"],
  ["topic", "es"],
])("what callers say about %s in %s is read as they mean it, and asked about where it can mean two things", (kind, language) => {
  const group = corpus.filter((row) => row.kind === kind && row.language === language);
  expect(group.length).toBeGreaterThan(10);
  expect(misread(group)).toEqual([]);
});

it("the corpus has 600 rows, a third in Spanish", () => {
  expect(corpus.length).toBeGreaterThanOrEqual(600);
  expect(corpus.filter(({ language }) => language === "es").length).toBeGreaterThanOrEqual(corpus.length / 3);
});
