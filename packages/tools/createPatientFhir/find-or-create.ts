import { setTimeout as sleep } from "node:timers/promises";
import { isAppError } from "@vitaline/core";
import { leadUnder } from "@vitaline/leads";
import type { Patient } from "fhir/r4.js";
import { tidy } from "../speech/speech-text.ts";
import type { Ran, Run } from "../sdk/run.ts";
import { requestOf, requestSystem } from "../sdk/references.ts";
import { isSamePerson } from "../patient/person.ts";
import { searchPeople } from "../patient/search-people.ts";
import type { Input, Output } from "./schema.ts";
import { lockPerson } from "./registration-lock.ts";
import { addressFrom } from "../speech/spoken-address.ts";

type Action = "create" | "find" | "refer";

export const received = (action: Action, patientId?: string): Ran<Output> => ({
  output: { result: "received" },
  ...(patientId ? { patientId } : {}),
  detail: { action },
});

/**
 * Whoever has a chart gets no second one; what an earlier try of this request has made is such a chart, too. From the search on, every
 * way takes as long as a create and ends in the same words, also where the record system takes no new patient: otherwise these words
 * would be for those alone who are none yet.
 */
export async function findOrCreate(run: Run, said: Input, leadId: string): Promise<Ran<Output>> {
  const providerId = run.providerId ?? "";
  const isKnown = await hasChart(run, said);
  const startedAtMs = performance.now();
  if (isKnown === true || (isKnown === false && !(await lockPerson(run, said)))) {
    const leftMs = anyCreateTimeMs(providerId) - (performance.now() - startedAtMs);
    await sleep(Math.max(0, leftMs), undefined, { signal: run.signal }).catch(() => {});
    return received("find");
  }
  const ran = isKnown === undefined ? await referred(run, said, leadId) : await create(run, said, leadId);
  noteCreateTime(providerId, performance.now() - startedAtMs);
  return ran;
}

async function create(run: Run, said: Input, leadId: string): Promise<Ran<Output>> {
  run.intend({ action: "create" });
  const ifNoneExist = `identifier=${requestSystem}|${run.requestKey}`;
  try {
    const made = await run.ehr.create<Patient>(patientOfWords(said, run.requestKey), { signal: run.writeSignal(), ifNoneExist });
    return received("create", made.id);
  } catch (error) {
    // The server itself knows of somebody like that.
    if (isAppError(error, "ehr_conflict")) return received("find");
    if (isAppError(error, "ehr_unknown_outcome")) {
      if (await hasChart(run, said).catch(() => false)) return received("create");
      throw error;
    }
    if (isAppError(error)) return referred(run, said, leadId);
    throw error;
  }
}

/** For staff to finish: what was said is kept for them, sealed. */
async function referred(run: Run, said: Input, leadId: string): Promise<Ran<Output>> {
  const { firstName, lastName, dateOfBirth, phoneNumber: phone, email } = said;
  const contact = { name: tidy(`${firstName} ${lastName}`), phone, email, note: `Wants to be registered; born on ${dateOfBirth}.` };
  const write = await leadUnder(run.ctx, { reason: "new_patient", contact, callKey: run.call.callKey }, leadId);
  return { ...received("refer"), detail: { action: "refer", leadId }, keeps: write };
}

/** undefined when there are too many people like that to tell. */
async function hasChart(run: Run, said: Input): Promise<boolean | undefined> {
  return (await searchPeople(run, said))?.some((patient) => isSamePerson(said, patient));
}

/** What this very request has made, for whoever no longer has its words. */
export async function findByMark({ ehr, signal, requestKey }: Run): Promise<Patient | undefined> {
  const params = (await ehr.capability({ signal })).searchParams("Patient");
  if (params.length > 0 && !params.includes("identifier")) return undefined;
  const found = await ehr.search<Patient>("Patient", { identifier: `${requestSystem}|${requestKey}` }, { signal });
  return found.find((one) => requestOf(one) === requestKey);
}

/** The new chart, with the mark of the request that makes it. */
function patientOfWords(said: Input, requestKey: string): Patient {
  const { firstName, lastName, dateOfBirth, phoneNumber, email, gender } = said;
  const address = addressFrom(said);
  return {
    resourceType: "Patient",
    active: true,
    identifier: [{ system: requestSystem, value: requestKey }],
    name: [{ use: "official", family: tidy(lastName), given: tidy(firstName).split(" ") }],
    birthDate: dateOfBirth,
    ...(gender ? { gender } : {}),
    telecom: [
      ...(phoneNumber ? [{ system: "phone" as const, value: phoneNumber, use: "home" as const }] : []),
      ...(email ? [{ system: "email" as const, value: email }] : []),
    ],
    ...(address ? { address: [{ use: "home", ...address }] } : {}),
  };
}

/** How long creates have lately taken at each EHR, as far as this process knows, in milliseconds. */
const lately = new Map<string, number[]>();
const mostKept = 20;
const mostEhrs = 1000;
const usualMs = 500;

export function noteCreateTime(providerId: string, ms: number): void {
  if (lately.size >= mostEhrs && !lately.has(providerId)) lately.clear();
  lately.set(providerId, [...(lately.get(providerId) ?? []), ms].slice(-mostKept));
}

/**
 * How long to wait where nothing is created, so that the time does not tell who is a patient: as long as one of the last creates took, so
 * that also the spread is alike. What remains: a process that has created nothing yet knows only the usual time, and an EHR whose speed
 * changes is followed one create behind. What can be asked in an hour is limited for that reason, too.
 */
export function anyCreateTimeMs(providerId: string): number {
  const known = lately.get(providerId) ?? [usualMs];
  const one = known[Math.floor(Math.random() * known.length)] ?? usualMs;
  return one * (0.9 + Math.random() / 5);
}
