import type { Run } from "../../sdk/run.ts";
import { givenNameForms } from "../../nlu/names.ts";
import { callPatientHash, callPatientHashes } from "../../patient/call-patient.ts";
import { namesOf, type Person } from "../../patient/person.ts";
import { saidPatientHashes } from "../../proxy/speaker.ts";
import type { Match } from "./find-match.ts";

/** The patient of a claim as the caller has said so far. A family name alone tells no one apart in a family. */
export type SaidPatient = Partial<Pick<Person, "firstName" | "dateOfBirth">>;

/** More than a caller speaks for in one call; after that, none is verified as the caller. */
const maxKept = 32;
const partial = "partly ";
const known = "known ";
const again = "again ";

const patientHash = (run: Run, { patientId }: Match): string => callPatientHash(run, { patientId, providerId: run.ehr.providerId });

/** An empty part was not said: then anyone with the other one may be meant. The current hash first. */
const keptAs = (run: Run, givenName: string, dateOfBirth: string): string[] =>
  saidPatientHashes(run, givenName, dateOfBirth).map((hash) => (givenName === "" || dateOfBirth === "" ? partial + hash : hash));

const formsKeptAs = (run: Run, { firstName = "", dateOfBirth = "" }: SaidPatient): string[][] =>
  givenNameForms(firstName).map((form) => keptAs(run, form, dateOfBirth));

const currentOf = (hashes: readonly string[][]): string[] => hashes.flatMap(([current = ""]) => current);

/** All that could have been said of this person. */
const hashesOf = (run: Run, firstNames: readonly string[], dateOfBirth: string): string[] =>
  ["", ...firstNames.flatMap(givenNameForms)].flatMap((form) => [...keptAs(run, form, ""), ...keptAs(run, form, dateOfBirth)]);

/** Without those that were said in part, once it was said who was meant, unless they were said again: that may mean someone else. */
function openClaims(run: Run): Set<string> {
  const { proxyClaims = [], wasVerifiedAsSelf } = run.state ?? {};
  const all = new Set(proxyClaims);
  const isSettled = (one: string): boolean => all.has(known + one) && !all.has(again + one);
  const open = [...all].filter((one) => !one.startsWith(known) && !one.startsWith(again) && !isSettled(one));
  // Who was verified as the caller speaks for another than themself.
  const noOne = wasVerifiedAsSelf ? keptAs(run, "", "") : [];
  return new Set(open.filter((one) => !noOne.includes(one)));
}

/**
 * What `CallStateRow.proxyClaims` does not have yet of the patient of a claim to speak for someone, whether or not the claim was proven.
 * `more`: kept with it.
 */
export function newClaims(run: Run, said: SaidPatient, match?: Match, more: readonly string[] = []): string[] {
  const stored = new Set(run.state?.proxyClaims);
  const { firstName = "", dateOfBirth = "" } = said;
  if (firstName === "" && dateOfBirth === "") return stored.size > 0 ? [] : currentOf(formsKeptAs(run, {}));
  const isWhole = firstName !== "" && dateOfBirth !== "";
  const meant = isWhole ? hashesOf(run, [firstName], dateOfBirth) : keptAs(run, "", "");
  const settled = meant.filter((one) => one.startsWith(partial) && stored.has(one)).map((one) => known + one);
  const forms = formsKeptAs(run, said);
  const saidNow = currentOf(forms);
  const repeated = forms
    .flat()
    .filter((one) => stored.has(known + one))
    .map((one) => again + one);
  const claims = [...saidNow, ...(match ? [patientHash(run, match)] : []), ...more];
  const room = Math.max(0, maxKept - openClaims(run).size);
  const isNew = (one: string): boolean => !stored.has(one);
  return [...[...settled, ...repeated].filter(isNew), ...[...new Set(claims)].filter(isNew).slice(0, room)];
}

/** In this call, someone has claimed to speak for the patient of this claim. */
export function isSpokenFor(run: Run, { firstName, dateOfBirth }: Person, match: Match): boolean {
  const claims = openClaims(run);
  const onFile = namesOf(match.patient).map((name) => name.firstName);
  const { patientId } = match;
  const hashes = [
    ...callPatientHashes(run, { patientId, providerId: run.ehr.providerId }),
    ...hashesOf(run, [firstName, ...onFile], dateOfBirth),
  ];
  return claims.size >= maxKept || hashes.some((hash) => claims.has(hash));
}

export const heldMark = (run: Run, match: Match): string => `held ${patientHash(run, match)}`;
