import { scopedHash } from "../../sdk/keyed-hash.ts";
import type { Run } from "../../sdk/run.ts";
import { givenNameForms } from "../../spoken/names.ts";
import { callPatientHash } from "../../patient/call-patient.ts";
import { namesOf, type Person } from "../../patient/person.ts";
import type { Match } from "./find-match.ts";

/** The patient of a claim as the caller has said so far. A family name alone tells no one apart in a family. */
export type SaidPatient = Partial<Pick<Person, "firstName" | "dateOfBirth">>;

/** More than a caller speaks for in one call; after that, none is verified as the caller. */
const maxKept = 32;
const hashLength = 24;

const patientHash = (run: Run, { patientId }: Match): string => callPatientHash(run, { patientId, providerId: run.ehr.providerId });

/** An empty part was not said: then anyone with the other one may be meant. */
const saidHash = ({ ctx, call }: Run, givenName: string, dateOfBirth: string): string => {
  const hash = scopedHash("spoken-for", ctx.tenantId, [call.callKey, givenName, dateOfBirth]).slice(0, hashLength);
  return givenName === "" || dateOfBirth === "" ? `partly ${hash}` : hash;
};

const saidHashes = (run: Run, { firstName = "", dateOfBirth = "" }: SaidPatient): string[] =>
  givenNameForms(firstName).map((form) => saidHash(run, form, dateOfBirth));

/** All that could have been said of this person. */
const hashesOf = (run: Run, firstNames: readonly string[], dateOfBirth: string): string[] =>
  ["", ...firstNames.flatMap(givenNameForms)].flatMap((form) => [saidHash(run, form, ""), saidHash(run, form, dateOfBirth)]);

/**
 * `CallStateRow.spokenFor` with the patient of a claim to speak for someone, whether or not the claim was proven. Who was verified as
 * the caller speaks for another than themself.
 */
export function withSpokenFor(run: Run, said: SaidPatient, match?: Match): string[] {
  const kept = run.state?.spokenFor ?? [];
  const isVerifiedSelf = run.state?.patientId !== undefined && run.state.actsFor === undefined;
  const { firstName = "", dateOfBirth = "" } = said;
  if (firstName === "" && dateOfBirth === "") return kept.length > 0 || isVerifiedSelf ? kept : saidHashes(run, {});
  const isWhole = firstName !== "" && dateOfBirth !== "";
  const known = new Set(isWhole ? hashesOf(run, [firstName], dateOfBirth) : [saidHash(run, "", "")]);
  const others = kept.filter((one) => !(one.startsWith("partly ") && known.has(one)));
  return withKept(others, [...saidHashes(run, said), ...(match ? [patientHash(run, match)] : [])]);
}

export const withKept = (kept: readonly string[], more: readonly string[]): string[] => [...new Set([...kept, ...more])].slice(0, maxKept);

/** In this call, someone has claimed to speak for the patient of this claim. */
export function isSpokenFor(run: Run, { firstName, dateOfBirth }: Person, match: Match): boolean {
  const kept = run.state?.spokenFor ?? [];
  const onFile = namesOf(match.patient).map((name) => name.firstName);
  const hashes = [patientHash(run, match), ...hashesOf(run, [firstName, ...onFile], dateOfBirth)];
  return kept.length >= maxKept || hashes.some((hash) => kept.includes(hash));
}

export const heldMark = (run: Run, match: Match): string => `held ${patientHash(run, match)}`;
