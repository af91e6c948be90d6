import { isAppError } from "@vitaline/core";
import { requireLivingBirth } from "../speech/spoken-date.ts";
import { tidy } from "../speech/speech-text.ts";
import { defineTool } from "../sdk/define-tool.ts";
import type { Ran, Run } from "../sdk/run.ts";
import { withinHourlyLimit } from "../patient/caller-limits.ts";
import { Input, Output } from "./schema.ts";
import { isTaken, placeOf, takeTurn } from "./registration-lock.ts";
import { findByMark, findOrCreate, received } from "./find-or-create.ts";

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
