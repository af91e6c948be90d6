import { setTimeout as sleep } from "node:timers/promises";
import { isAppError } from "@vitaline/core";
import { leadWrite } from "@vitaline/leads";
import type { Patient } from "fhir/r4.js";
import { tidyText } from "../nlu/tidy-text.ts";
import { type Run, type RunResult, executionKeyIn, requestSystem } from "../sdk/run.ts";
import { matchesPerson } from "../patient/person.ts";
import { searchPeople } from "../patient/search-people.ts";
import type { Input, Output } from "./schema.ts";
import { lockPerson } from "./registration-lock.ts";
import { toFhirAddress } from "../nlu/address.ts";

type Action = "create" | "find" | "refer";

export const received = (action: Action, patientId?: string): RunResult<Output> => ({
  output: { result: "received" },
  ...(patientId ? { patientId } : {}),
  detail: { action },
});

/**
 * Creates no second chart for a known person. Every path takes as long as a create and gives the same answer, so that neither tells a
 * caller who is a patient.
 */
export async function findOrCreate(run: Run, said: Input, leadId: string): Promise<RunResult<Output>> {
  const providerId = run.providerId ?? "";
  const isKnown = await hasChart(run, said);
  const startedAtMs = performance.now();
  if (isKnown === true || (isKnown === false && !(await lockPerson(run, said)))) {
    const leftMs = sampleCreateTimeMs(providerId) - (performance.now() - startedAtMs);
    await sleep(Math.max(0, leftMs), undefined, { signal: run.signal }).catch(() => {});
    return received("find");
  }
  const ran = isKnown === undefined ? await referToStaff(run, said, leadId) : await create(run, said, leadId);
  recordCreateTime(providerId, performance.now() - startedAtMs);
  return ran;
}

async function create(run: Run, said: Input, leadId: string): Promise<RunResult<Output>> {
  run.notePlannedWrite({ action: "create" });
  const ifNoneExist = `identifier=${requestSystem}|${run.executionKey}`;
  try {
    const made = await run.ehr.create<Patient>(newPatient(said, run.executionKey), { signal: run.writeSignal(), ifNoneExist });
    return received("create", made.id);
  } catch (error) {
    // The server found a matching patient itself.
    if (isAppError(error, "ehr_conflict")) return received("find");
    if (isAppError(error, "ehr_unknown_outcome")) {
      if (await hasChart(run, said).catch(() => false)) return received("create");
      throw error;
    }
    if (isAppError(error)) return referToStaff(run, said, leadId);
    throw error;
  }
}

async function referToStaff(run: Run, said: Input, leadId: string): Promise<RunResult<Output>> {
  if (run.call.isTest) return received("refer");
  const { firstName, lastName, dateOfBirth, phoneNumber: phone, email } = said;
  const contact = { name: tidyText(`${firstName} ${lastName}`), phone, email, note: `Wants to be registered; born on ${dateOfBirth}.` };
  const write = await leadWrite(run.ctx, { reason: "new_patient", contact, callKey: run.call.callKey }, leadId);
  return { ...received("refer"), detail: { action: "refer", leadId }, insteadOfIdempotencyRow: write };
}

/** undefined if too many people match to compare them all. */
async function hasChart(run: Run, said: Input): Promise<boolean | undefined> {
  return (await searchPeople(run, said))?.some((patient) => matchesPerson(said, patient));
}

export async function findByExecutionKey({ ehr, signal, executionKey }: Run): Promise<Patient | undefined> {
  const params = (await ehr.capability({ signal })).searchParams("Patient");
  if (params.length > 0 && !params.includes("identifier")) return undefined;
  const found = await ehr.search<Patient>("Patient", { identifier: `${requestSystem}|${executionKey}` }, { signal });
  return found.find((one) => executionKeyIn(one) === executionKey);
}

function newPatient(said: Input, executionKey: string): Patient {
  const { firstName, lastName, dateOfBirth, phoneNumber, email, gender } = said;
  const address = toFhirAddress(said);
  return {
    resourceType: "Patient",
    active: true,
    identifier: [{ system: requestSystem, value: executionKey }],
    name: [{ use: "official", family: tidyText(lastName), given: tidyText(firstName).split(" ") }],
    birthDate: dateOfBirth,
    ...(gender ? { gender } : {}),
    telecom: [
      ...(phoneNumber ? [{ system: "phone" as const, value: phoneNumber, use: "home" as const }] : []),
      ...(email ? [{ system: "email" as const, value: email }] : []),
    ],
    ...(address ? { address: [{ use: "home", ...address }] } : {}),
  };
}

/** Latest create durations per EHR in this process, in milliseconds. */
const recentCreateTimes = new Map<string, number[]>();
const maxTimes = 20;
const maxEhrs = 1000;
const defaultMs = 500;

export function recordCreateTime(providerId: string, ms: number): void {
  if (recentCreateTimes.size >= maxEhrs && !recentCreateTimes.has(providerId)) recentCreateTimes.clear();
  recentCreateTimes.set(providerId, [...(recentCreateTimes.get(providerId) ?? []), ms].slice(-maxTimes));
}

/**
 * The wait when nothing is created: a random recent create duration, so that response times do not reveal who is a patient. Before the
 * first create of a process it is the default; the hourly limit bounds what can be measured.
 */
export function sampleCreateTimeMs(providerId: string): number {
  const known = recentCreateTimes.get(providerId) ?? [defaultMs];
  const one = known[Math.floor(Math.random() * known.length)] ?? defaultMs;
  return one * (0.9 + Math.random() / 5);
}
