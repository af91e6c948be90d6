import { setTimeout as sleep } from "node:timers/promises";
import { isAppError } from "@vitaline/core";
import { leadUnder } from "@vitaline/leads";
import type { Patient } from "fhir/r4.js";
import * as z from "zod/mini";
import { requireLivingBirth } from "../birth-date.ts";
import { tidy } from "../contact-fields.ts";
import { defineTool, type Ran, type Run } from "../define-tool.ts";
import { withinHourlyLimit } from "../hourly-limit.ts";
import { requestOf, requestSystem } from "../request-key.ts";
import { isSamePerson } from "../verifyPatientIdentity/person.ts";
import { searchPeople } from "../verifyPatientIdentity/search-people.ts";
import { anyCreateTimeMs, noteCreateTime } from "./create-time.ts";
import { Input } from "./input.ts";
import { isTaken, placeOf, takeTurn } from "./once-a-call.ts";
import { patientOfWords } from "./patient.ts";
import { lockPerson } from "./person-lock.ts";

/** What is not told: whether there was such a patient before. */
const Output = z.object({ result: z.enum(["received", "once", "limit", "unsupported"]) });
type Output = z.output<typeof Output>;

export const createPatientFhir = defineTool({
  name: "createPatientFhir",
  description: [
    "Register a caller who is new to the clinic: first and last name, date of birth, and a phone number or email address;",
    "address and gender if they were said. At most once in a call. It gives access to no record, and the new patient cannot be verified or",
    "book before the clinic's staff have completed the registration: say that the office will be in touch, and do not call",
    "verifyPatientIdentity for it. Never tell a caller whether somebody is a patient already.",
    "Where the clinic's system takes no new patients, offer a callback and note it with logRoutingEvent.",
  ].join(" "),
  input: Input,
  output: Output,
  effect: "write",
  // The call's one place for a new patient is the claim of whoever takes it.
  claim: "own",
  level: 0,
  patientRecord: true,
  scopes: ["system/Patient.crs"],
  requests: ["create Patient", "search Patient"],
  annotations: { title: "Register a new patient", readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  run: register,
  recover: async (run) => {
    const made = await findByMark(run);
    return made && { ...received("create", made.id), promise: { kind: "registration", about: { action: "create" } } };
  },
  speak: ({ result }) => {
    switch (result) {
      case "received":
        return "Thank you, the clinic has your details now, and the office will be in touch to complete the registration. What else can I do for you?";
      case "once":
        return "I can only take down one new patient in a call. For anyone else, I can connect you with the office, or have them call you back.";
      case "limit":
        return "I can't take down any more new patients at the moment, but I can connect you with the office.";
      case "unsupported":
        return "I can't register new patients here myself, but I can have the office call you back to do it. Shall I?";
    }
  },
});

type Action = "create" | "find" | "refer";
const received = (action: Action, patientId?: string): Ran<Output> => ({
  output: { result: "received" },
  ...(patientId ? { patientId } : {}),
  detail: { action },
});
const repeated: Ran<Output> = { ...received("find"), repeated: true };
const unsupported: Ran<Output> = { output: { result: "unsupported" }, code: "ehr_unsupported" };
const once: Ran<Output> = { output: { result: "once" }, code: "not_doable" };
const limit: Ran<Output> = { output: { result: "limit" }, code: "too_many_requests" };

/**
 * Write units: one each for the counts, the call's place, the lock and being done, four for the audit row with its task or lead: eight,
 * and seven where nothing is created.
 */
async function register(run: Run, said: Input): Promise<Ran<Output>> {
  const earlier = placeOf(run);
  if (earlier?.settled) return repeated;
  const { supports } = await run.ehr.capability({ signal: run.signal });
  // Without a search nobody could tell who is a patient already.
  if (!supports("Patient", "create") || !supports("Patient", "search-type")) return unsupported;
  requireLivingBirth(said.dateOfBirth, run.ctx.clock());
  if (isTaken(run.state) && !earlier) return once;
  if (!(await withinHourlyLimit(run, "registrations"))) return limit;
  const place = await takeTurn(run);
  if (!place) return once;
  if (place.settled) return repeated;
  const { value: leadId = "" } = place;
  try {
    const ran = await findOrCreate(run, said, leadId);
    // After a try of unknown outcome its row is what has to give the answer.
    const own = run.triedBy === undefined ? { answersAgain: true as const } : {};
    const promise = ran.keeps ? {} : { promise: registrationOf(said, ran, leadId) };
    return { ...ran, ...own, ...promise, afterAudit: place.settle };
  } catch (error) {
    if (!isAppError(error, "ehr_unknown_outcome")) await place.giveBack();
    throw error;
  }
}

/** For staff to complete; where the record system takes no new patient, the lead is that. */
const registrationOf = ({ firstName, lastName, dateOfBirth, phoneNumber, email }: Input, { detail }: Ran<Output>, id: string) => ({
  kind: "registration" as const,
  id,
  about: {
    ...(detail?.action ? { action: detail.action } : {}),
    name: tidy(`${firstName} ${lastName}`),
    dateOfBirth,
    ...(phoneNumber ? { phone: phoneNumber } : {}),
    ...(email ? { email } : {}),
  },
});

/**
 * Whoever has a chart gets no second one; what an earlier try of this request has made is such a chart, too. From the search on, every
 * way takes as long as a create and ends in the same words, also where the record system takes no new patient: otherwise these words
 * would be for those alone who are none yet.
 */
async function findOrCreate(run: Run, said: Input, leadId: string): Promise<Ran<Output>> {
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
async function findByMark({ ehr, signal, requestKey }: Run): Promise<Patient | undefined> {
  const params = (await ehr.capability({ signal })).searchParams("Patient");
  if (params.length > 0 && !params.includes("identifier")) return undefined;
  const found = await ehr.search<Patient>("Patient", { identifier: `${requestSystem}|${requestKey}` }, { signal });
  return found.find((one) => requestOf(one) === requestKey);
}
