import type { ContactPoint, HumanName } from "fhir/r4.js";
import { normalizePhone } from "../nlu/digits.ts";
import { givenNameForms, normalizeName } from "../nlu/names.ts";
import { isCurrent, matchesPerson, namesOf, timingSafeSame } from "../patient/person.ts";
import { scopedHashes } from "../sdk/keyed-hash.ts";
import type { Run } from "../sdk/run.ts";
import { spokenLine } from "../speech/speech-text.ts";

/** What a caller who speaks for a patient says about themself: the name, and at least one more detail. `birthDate` is yyyy-mm-dd. */
export type Speaker = { name: string; phone?: string | undefined; birthDate?: string | undefined };

type OnFile = { name?: HumanName[]; telecom?: ContactPoint[]; birthDate?: string | undefined };

/** Stands for the birth date where names alone are compared. */
const anyDay = "-";

/** Of one person; more would try many names at once. */
const maxNameWords = 6;

/** Where the family name begins is not said, so every place is tried. */
export function isNamed(said: string, name: HumanName[]): boolean {
  const words = normalizeName(said).split(" ");
  if (words.length > maxNameWords) return false;
  return words
    .slice(1)
    .map((_, at) => {
      const [firstName, lastName] = [words.slice(0, at + 1).join(" "), words.slice(at + 1).join(" ")];
      return matchesPerson({ firstName, lastName, dateOfBirth: anyDay }, { resourceType: "Patient", name, birthDate: anyDay });
    })
    .includes(true);
}

/** The name, and every detail that was said and is on file, agree; at least one detail does. */
export function matchesSpeaker({ name: said, ...details }: Speaker, { name = [], telecom = [], ...onFile }: OnFile, now: Date): boolean {
  const numbers = telecom.filter((one) => (one.system === "phone" || one.system === "sms") && isCurrent(one, now));
  const agrees = [
    agreement(
      normalizePhone(details.phone ?? ""),
      numbers.map(({ value = "" }) => normalizePhone(value)),
    ),
    agreement(details.birthDate ?? "", onFile.birthDate === undefined ? [] : [onFile.birthDate]),
  ];
  const isSpeaker = isNamed(
    said,
    name.filter((one) => isCurrent(one, now)),
  );
  return isSpeaker && agrees.includes(true) && !agrees.includes(false);
}

/** undefined where nothing was said or nothing is on file. */
function agreement(said: string, known: readonly string[]): boolean | undefined {
  const same = known.map((one) => timingSafeSame(said, one)).includes(true);
  return said === "" || known.length === 0 ? undefined : same;
}

const hashLength = 24;

/** Of a patient for whom a caller claims to speak: the current one, then as it was kept before a rotation of the key. */
export const saidPatientHashes = ({ ctx, call }: Pick<Run, "ctx" | "call">, givenName: string, dateOfBirth: string): string[] =>
  scopedHashes("spoken-for", ctx.tenantId, [call.callKey, givenName, dateOfBirth]).map((hash) => hash.slice(0, hashLength));

/** The first name of the patient for whom the caller speaks. Only a name that was said in this call: a chart may have others. */
export async function saidPatientName(run: Pick<Run, "ctx" | "call" | "state" | "chart">): Promise<string | undefined> {
  const { actsFor, proxyClaims } = run.state ?? {};
  if (!actsFor || !proxyClaims) return undefined;
  const chart = await run.chart();
  const isSaid = (firstName: string): boolean =>
    givenNameForms(firstName).some((form) => saidPatientHashes(run, form, chart.birthDate ?? "").some((hash) => proxyClaims.has(hash)));
  const said = namesOf(chart).find(({ firstName }) => isSaid(firstName));
  return spokenLine(said?.firstName.trim().split(/\s+/)[0]);
}
