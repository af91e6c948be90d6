import { givenNameForms } from "../nlu/names.ts";
import { namesOf } from "../patient/person.ts";
import { scopedHashes } from "../sdk/keyed-hash.ts";
import type { Run } from "../sdk/run.ts";
import { spokenLine } from "../speech/speech-text.ts";

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
