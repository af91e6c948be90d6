import { AppError } from "@vitaline/core";
import type { Observation, ObservationComponent, Quantity } from "fhir/r4.js";
import { conceptText, dayOf, lineOf } from "../speech/speech-text.ts";
import type { Chart, Read } from "./chart-reader.ts";
import type { Measured } from "./schema.ts";

const latest = 40;
const kinds = 10;
const dayMs = 86_400_000;
/** How far back a server is asked that does not tell the latest first, and how many results it may have there. */
const daysBack = [undefined, 365, 60] as const;
const mostUnsorted = 400;
/** Other results are not, or not any more, what was measured. */
const counted = new Set<Observation["status"]>(["final", "amended", "corrected", "preliminary"]);

/** The last value of each kind, the newest first. */
const readLatest =
  (part: "vitals" | "labs", category: string): Read =>
  async (chart) => {
    const { own, timeZone } = chart;
    const observations = await newest(chart, category);
    const results = own(observations, ({ subject }) => subject).filter(({ status }) => counted.has(status));
    const byKind = new Map<string, Measured>();
    for (const one of results.toSorted((a, b) => takenMs(b) - takenMs(a))) {
      const measured = measuredIn(one, timeZone);
      if (measured && !byKind.has(measured.name) && byKind.size < kinds) byKind.set(measured.name, measured);
    }
    return { [part]: [...byKind.values()] };
  };

/** The newest results of a category; AppError `ehr_invalid` from a server with too many of them in no order. */
async function newest({ search, now }: Chart, category: string): Promise<Observation[]> {
  const ask = async (most: number, bound: { date?: string } = {}): Promise<Observation[]> => {
    const found = await search<Observation>("Observation", { category, ...bound, _sort: "-date", _count: String(most) }, most);
    return found.filter(({ resourceType }) => resourceType === "Observation");
  };
  const first = await ask(latest);
  const isInOrder = first.every((one, index) => index === 0 || takenMs(one) <= takenMs(first[index - 1] ?? one));
  if (first.length < latest || isInOrder) return first;
  for (const days of daysBack) {
    const since = days === undefined ? {} : { date: `ge${new Date(now.getTime() - days * dayMs).toISOString().slice(0, 10)}` };
    const all = await ask(mostUnsorted, since);
    if (all.length < mostUnsorted && all.length > 0) return all;
  }
  throw new AppError("ehr_invalid", "The record system does not tell which results are the latest.");
}

export const readVitals = readLatest("vitals", "vital-signs");
export const readLabs = readLatest("labs", "laboratory");

const takenAt = ({ effectiveDateTime, effectivePeriod, effectiveInstant, issued }: Observation): string | undefined =>
  effectiveDateTime ?? effectiveInstant ?? effectivePeriod?.end ?? effectivePeriod?.start ?? issued;
const takenMs = (one: Observation): number => Date.parse(takenAt(one) ?? "") || 0;

/** Undefined for what has no name or no value, such as the head of a panel. */
function measuredIn(one: Observation, timeZone: string): Measured | undefined {
  const name = conceptText(one.code);
  const value = valueOf(one) ?? pressureOf(one.component ?? []);
  if (name === undefined || value === undefined) return undefined;
  const date = dayOf(takenAt(one), timeZone);
  return { name, ...value, ...(date ? { date } : {}) };
}

type Value = Pick<Measured, "value" | "unit">;

const quantity = ({ value, unit, code, comparator }: Quantity): Value | undefined =>
  value === undefined ? undefined : { value: `${comparator ?? ""}${value}`, ...((unit ?? code) ? { unit: lineOf(unit ?? code) } : {}) };

function valueOf(one: Observation | ObservationComponent): Value | undefined {
  if (one.valueQuantity) return quantity(one.valueQuantity);
  const text =
    lineOf(one.valueString) ??
    conceptText(one.valueCodeableConcept) ??
    (one.valueInteger === undefined ? undefined : String(one.valueInteger));
  return text === undefined ? undefined : { value: text };
}

/** LOINC. */
const systolic = "8480-6";
const diastolic = "8462-4";
/** "120/80" of the two components of a blood pressure. */
function pressureOf(components: ObservationComponent[]): Value | undefined {
  const [over, under] = [systolic, diastolic].map((code) => {
    const found = components.find((one) => one.code?.coding?.some((coding) => coding.code === code));
    return found && valueOf(found);
  });
  return over && under ? { ...over, value: `${over.value}/${under.value}` } : undefined;
}
