import { randomUUID } from "node:crypto";
import { ageOn, dayIn, awaitAllThenThrow } from "@vitaline/core";
import type { Ehr } from "@vitaline/fhir-providers";
import { findProxies, type FoundProxy, hasProxies, isOver } from "@vitaline/proxies";
import type { ActsFor } from "@vitaline/store";
import { minorsPolicyOf } from "@vitaline/tenants";
import type { Patient } from "fhir/r4.js";
import { matchesPerson } from "../../patient/person.ts";
import { flagScope, hasCustodyFlag } from "../../proxy/custody.ts";
import { findContact, findGuardian, readRelatedPersons, relatedPersonScope } from "../../proxy/guardians.ts";
import { isMinorOn, scopeForAge } from "../../patient/call-patient.ts";
import { isNamed, matchesSpeaker, type Speaker } from "../../proxy/speaker.ts";
import { openIfAllowed, type Run, type RunResult } from "../../sdk/run.ts";
import { normalizeName } from "../../nlu/names.ts";
import { isScopedHash, scopedHash } from "../../sdk/keyed-hash.ts";
import { handedOver, stillMissing } from "../answers.ts";
import { recordNumbers } from "./factors.ts";
import type { Match } from "./find-match.ts";
import type { Claim, Input, Output } from "../schema.ts";
import { newClaims } from "./spoken-for.ts";
import { keepClaims, type Speaking, thenClearVerification, verifyClaim } from "./verify-claim.ts";

/** What can show that a caller may speak for a patient. Undefined members: not at this connection, or not by the tenant's policy. */
type Sources = { related?: Ehr | undefined; flags?: Ehr | undefined; mayBeContact: boolean };

const todayOf = ({ ctx, timeZone }: Run): string => dayIn(timeZone, ctx.clock());
export const isMinor = (run: Run, { dateOfBirth }: Pick<Claim, "dateOfBirth">): boolean => isMinorOn(todayOf(run), dateOfBirth);

/** Undefined where no one can be verified to speak for this patient, or for anyone. No search in the EHR. */
export async function openSources(run: Run, claim: Claim | undefined): Promise<Sources | undefined> {
  const { guardians, contacts } = minorsPolicyOf(run.tenant);
  const asksChart = guardians && (claim === undefined || isMinor(run, claim));
  const [open, isAnyApproved] = await awaitAllThenThrow([openTypes(run, asksChart), hasProxies(run.ctx)]);
  const mayBeContact = asksChart && contacts && open.related === undefined;
  return open.related !== undefined || mayBeContact || isAnyApproved ? { ...open, mayBeContact } : undefined;
}

async function openTypes(run: Run, asksChart: boolean): Promise<Pick<Sources, "related" | "flags">> {
  const wanted = [...(asksChart ? [relatedPersonScope] : []), flagScope];
  const all = await openIfAllowed(run, wanted);
  const [related, flags] = all
    ? [asksChart ? all : undefined, all]
    : await awaitAllThenThrow([asksChart ? openIfAllowed(run, [relatedPersonScope]) : undefined, openIfAllowed(run, [flagScope])]);
  const [hasRelated, hasFlags] = await awaitAllThenThrow([searches(run, related, "RelatedPerson"), searches(run, flags, "Flag")]);
  return { ...(hasRelated ? { related } : {}), ...(hasFlags ? { flags } : {}) };
}

const searches = async ({ signal }: Run, ehr: Ehr | undefined, type: "RelatedPerson" | "Flag"): Promise<boolean> =>
  ehr !== undefined && (await ehr.capability({ signal })).supports(type, "search-type");

/**
 * Verifies a caller who speaks for the patient: the patient as ever, and the caller as a parent or guardian in the record system, or as a
 * proxy whom staff approved. All failures are failed attempts with one sentence.
 */
export async function verifyFor(run: Run, { said, claim, speaker }: Extract<Input, { action: "claimFor" }>): Promise<RunResult<Output>> {
  const claims = newClaims(run, said);
  const refuse = (ran: RunResult<Output>) => thenClearVerification(run, ran, claims);
  try {
    const sources = await openSources(run, claim);
    if (!sources) return refuse(handedOver);
    if (!claim) return refuse(stillMissing("patient_details"));
    if (!speaker) return refuse(stillMissing("caller_details"));
    return await verifyClaim(run, claim, (match) => speakingFor(run, sources, match, speaker), claims);
  } catch (error) {
    await keepClaims(run, claims);
    throw error;
  }
}

async function speakingFor(run: Run, sources: Sources, match: Match | undefined, speaker: Speaker): Promise<Speaking> {
  const { ctx } = run;
  const now = ctx.clock();
  // Without a match, a patient that does not exist is asked for.
  const patientId = match?.patientId ?? randomUUID();
  // How a server answers for an unknown patient must not show that there is none.
  const quietly = <T>(asked: Promise<T>, none: T): Promise<T> => (match ? asked : asked.catch(() => none));
  const [related, isHeld, proxies] = await awaitAllThenThrow([
    sources.related ? quietly(readRelatedPersons(run, sources.related, patientId), []) : [],
    sources.flags ? quietly(hasCustodyFlag(run, sources.flags, patientId), false) : false,
    findProxies(ctx, match ? recordNumbers(match.patient, now) : [patientId]),
  ]);
  if (!match) return "no_one";
  const { patient } = match;
  // By the name alone: a decision of staff holds also for a parent who proves to be one by other details.
  const decisions = proxies.filter((one) => isOfPatient(one, patient) && isNamed(speaker.name, [{ text: one.people.name }]));
  const approved = decisions.find((one) => isApproved(run, one, patient, speaker));
  const [decided] = decisions;
  const guardian = findGuardian(speaker, related, now) ?? (sources.mayBeContact ? findContact(speaker, patient, now) : undefined);
  const who = { speakerHash: speakerHash(run, speaker.name) };
  const actsFor: ActsFor | undefined = approved
    ? { relationship: approved.relationship, scope: approved.scope, basis: "proxy", proxyId: approved.id, ...who }
    : guardian && {
        ...{ relationship: guardian, scope: decided?.scope ?? "all", basis: sources.related ? "related_person" : "contact" },
        ...(decided ? { proxyId: decided.id } : {}),
        ...who,
      };
  if (!actsFor) return "no_one";
  if (isHeld || decisions.some(({ onHold }) => onHold)) return { actsFor, isHeld: true };
  const { confidentialFrom } = minorsPolicyOf(run.tenant);
  return { actsFor: { ...actsFor, scope: scopeForAge(actsFor.scope, ageOn(todayOf(run), patient.birthDate ?? ""), confidentialFrom) } };
}

/** As the call has it already, perhaps from before a rotation of the key. */
function speakerHash({ ctx, state }: Run, name: string): string {
  const parts = [normalizeName(name)];
  const known = state?.actsFor?.speakerHash;
  return known !== undefined && isScopedHash(known, "proxy-speaker", ctx.tenantId, parts)
    ? known
    : scopedHash("proxy-speaker", ctx.tenantId, parts);
}

function isOfPatient({ people }: FoundProxy, patient: Patient): boolean {
  const { patientFirstName: firstName, patientLastName: lastName, patientBirthDate: dateOfBirth } = people;
  return matchesPerson({ firstName, lastName, dateOfBirth }, patient);
}

/** By name and phone number, still valid, and not given for a minor who has come of age since. */
function isApproved(
  run: Run,
  { people, validUntil, createdAt }: FoundProxy,
  { birthDate = "" }: Patient,
  { name, phone }: Speaker,
): boolean {
  const onFile = { name: [{ text: people.name }], telecom: [{ system: "phone" as const, value: people.phone }] };
  const isSpeaker = matchesSpeaker({ name, phone }, onFile, run.ctx.clock());
  const today = todayOf(run);
  const hasComeOfAge = isMinorOn(dayIn(run.timeZone, new Date(createdAt)), birthDate) && !isMinorOn(today, birthDate);
  return [isSpeaker, !isOver(validUntil, run.tenant.timeZone, run.ctx.clock()), !hasComeOfAge].every(Boolean);
}
