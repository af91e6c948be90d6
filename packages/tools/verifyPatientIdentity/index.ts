import { defineTool } from "../sdk/define-tool.ts";
import type { RunResult, Run } from "../sdk/run.ts";
import { flagScope } from "../proxy/custody.ts";
import { relatedPersonScope } from "../proxy/guardians.ts";
import { requirePlausibleBirthDate } from "../nlu/birth-date.ts";
import { handedOver, stillMissing } from "./answers.ts";
import { isMinor, openSources, verifyFor } from "./claim/claim-for.ts";
import { examples, questions } from "./examples.ts";
import { Input, Output } from "./schema.ts";
import { speak } from "./speak.ts";
import { stepUp } from "./step-up.ts";
import { isSpokenFor } from "./claim/spoken-for.ts";
import { thenClearVerification, verifyClaim } from "./claim/verify-claim.ts";

const isClaim = ({ action }: Input): boolean => action === "claim" || action === "claimFor";

export const verifyPatientIdentity = defineTool({
  name: "verifyPatientIdentity",
  description: [
    "Verify who the caller is before anything about a patient is said or done. Ask for first and last name, date of birth,",
    "and the phone number, zip code, street address or medical record number on file, then call this once with everything the caller said.",
    "A second such detail raises the level of trust: once the caller is verified, call this with that detail alone, without name and birth",
    "date. So does a one-time code: call this with sendCode (sms or email) alone, then with code alone as the caller reads it out.",
    "For a caller who speaks for a patient, such as a parent, give the patient's details, callingFor, and the caller's own name with their",
    "phone number or date of birth. Never tell the caller which detail was wrong.",
  ].join(" "),
  input: Input,
  output: Output,
  effect: "read",
  level: (input) => (isClaim(input) ? 0 : 1),
  // A claim needs no level; it grants one.
  maxLevel: 0,
  patientRecord: true,
  matter: "identity",
  scopes: ["system/Patient.rs"],
  optionalScopes: [relatedPersonScope, flagScope],
  // A server with $match is asked for that instead.
  requests: (input) => {
    switch (input.action) {
      case "claim":
        return ["search Patient"];
      case "claimFor":
        return input.claim && input.speaker ? ["search Flag", "search Patient", "search RelatedPerson"] : [];
      case "further":
      case "sendCode":
        return ["read Patient"];
      case "checkCode":
        return [];
    }
  },
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  async run(run, input) {
    switch (input.action) {
      case "claim":
        return verifySelf(run, input);
      case "claimFor":
        return verifyFor(run, input);
      case "further":
        return stepUp(run, input.details);
      case "sendCode":
        return (await import("./code/send-code.ts")).sendCode(run, input.channel);
      case "checkCode":
        return (await import("./code/check-code.ts")).checkCode(run, input.code);
    }
  },
  savesLanguageWithState: true,
  speak,
  questions,
  examples,
});

/** A minor does not speak for themself. Only a patient with this birth date could match, so the claim decides. */
async function verifySelf(run: Run, { claim, callingFor }: Extract<Input, { action: "claim" }>): Promise<RunResult<Output>> {
  requirePlausibleBirthDate(claim.dateOfBirth, run.ctx.clock());
  if (isMinor(run, claim)) {
    const mayBeParent = callingFor !== "self" && (await openSources(run, claim)) !== undefined;
    return thenClearVerification(run, mayBeParent ? stillMissing("caller_details") : handedOver);
  }
  return verifyClaim(run, claim, async (match) => (match && isSpokenFor(run, claim, match) ? "no_one" : {}));
}
