import { dayMs, AppError } from "@vitaline/core";
import type { Observation, ObservationComponent, Quantity } from "fhir/r4.js";
import { conceptText, recordedDay, spokenLine } from "../speech/speech-text.ts";
import type { ChartReader, ReadCategory } from "./chart-reader.ts";
import type { Measurement } from "./schema.ts";

const pageSize = 40;
const maxKinds = 10;
/** Date ranges for a server that does not sort, from the widest. */
const daysBack = [undefined, 365, 60] as const;
const maxUnsorted = 400;
const countedStates = new Set<Observation["status"]>(["final", "amended", "corrected", "preliminary"]);

const readLatest =
  (part: "vitals" | "labs", category: string): ReadCategory =>
  async (chart) => {
    const { own, timeZone } = chart;
    const observations = await newest(chart, category);
    const results = own(observations, ({ subject }) => subject).filter(
      // With a focus, it was measured of someone else, such as the fetus.
      ({ status, focus = [] }) => countedStates.has(status) && focus.length === 0,
    );
    const byKind = new Map<string, Measurement & { specimen: string | undefined }>();
    const unread = new Set<string>();
    for (const one of results.toSorted((a, b) => takenMs(b) - takenMs(a))) {
      const measured = measuredIn(one, timeZone);
      const specimen = spokenLine(one.specimen?.display);
      const kind = JSON.stringify([conceptText(one.code), one.code.coding?.[0]?.code, specimen]);
      // If the latest result cannot be read, an older one must not pass for it.
      if (!measured && hasResult(one) && !byKind.has(kind)) unread.add(kind);
      if (measured && !byKind.has(kind) && !unread.has(kind) && byKind.size < maxKinds) byKind.set(kind, { ...measured, specimen });
    }
    if (byKind.size === 0 && unread.size > 0)
      throw new AppError("ehr_invalid", "The record system has results of kinds that are not read.");
    const found = [...byKind.values()];
    // "Glucose" of blood and of urine
    const isAlone = (name: string): boolean => found.filter((one) => one.name === name).length === 1;
    return {
      [part]: found.map(({ specimen, ...one }) =>
        specimen === undefined || isAlone(one.name) ? one : { ...one, name: `${one.name}, ${specimen}` },
      ),
    };
  };

/** AppError `ehr_invalid` if the server returns too many results unsorted. */
async function newest({ search, now }: ChartReader, category: string): Promise<Observation[]> {
  const ask = async (most: number, bound: { date?: string } = {}): Promise<Observation[]> => {
    const found = await search<Observation>("Observation", { category, ...bound, _sort: "-date", _count: String(most) }, most);
    return found.filter(({ resourceType }) => resourceType === "Observation");
  };
  const first = await ask(pageSize);
  const isInOrder = first.every((one, index) => index === 0 || takenMs(one) <= takenMs(first[index - 1] ?? one));
  if (first.length < pageSize || isInOrder) return first;
  for (const days of daysBack) {
    const since = days === undefined ? {} : { date: `ge${new Date(now.getTime() - days * dayMs).toISOString().slice(0, 10)}` };
    const all = await ask(maxUnsorted, since);
    if (all.length < maxUnsorted && all.length > 0) return all;
  }
  throw new AppError("ehr_invalid", "The record system does not tell which results are the latest.");
}

export const readVitals = readLatest("vitals", "vital-signs");
export const readLabs = readLatest("labs", "laboratory");

const takenAt = ({ effectiveDateTime, effectivePeriod, effectiveInstant, issued }: Observation): string | undefined =>
  effectiveDateTime ?? effectiveInstant ?? effectivePeriod?.end ?? effectivePeriod?.start ?? issued;
const takenMs = (one: Observation): number => Date.parse(takenAt(one) ?? "") || 0;

/** undefined without a name or value, as for the head of a panel. */
function measuredIn(one: Observation, timeZone: string): Measurement | undefined {
  const name = conceptText(one.code);
  const value = valueOf(one) ?? pressureOf(one.component ?? []);
  if (name === undefined || value === undefined) return undefined;
  const date = recordedDay(takenAt(one), timeZone);
  return { name, ...value, ...(date ? { date } : {}), ...(one.status === "preliminary" ? { preliminary: true as const } : {}) };
}

/** False for the head of a panel, which has no result of its own. */
const hasResult = (one: Observation | ObservationComponent): boolean =>
  Object.keys(one).some((field) => field.startsWith("value") || field === "dataAbsentReason") ||
  ("component" in one && (one.component ?? []).some(hasResult));

type Value = Pick<Measurement, "value" | "unit">;

const quantity = ({ value, unit, code, comparator }: Quantity): Value | undefined =>
  value === undefined ? undefined : { value: `${comparator ?? ""}${value}`, ...((unit ?? code) ? { unit: spokenLine(unit ?? code) } : {}) };

function valueOf(one: Observation | ObservationComponent): Value | undefined {
  if (one.valueQuantity) return quantity(one.valueQuantity);
  const text =
    spokenLine(one.valueString) ??
    conceptText(one.valueCodeableConcept) ??
    (one.valueInteger === undefined ? undefined : String(one.valueInteger));
  return text === undefined ? undefined : { value: text };
}

/** LOINC. */
const systolic = "8480-6";
const diastolic = "8462-4";
function pressureOf(components: ObservationComponent[]): Value | undefined {
  const [over, under] = [systolic, diastolic].map((code) => {
    const found = components.find((one) => one.code?.coding?.some((coding) => coding.code === code));
    return found && valueOf(found);
  });
  return over && under ? { ...over, value: `${over.value}/${under.value}` } : undefined;
}
