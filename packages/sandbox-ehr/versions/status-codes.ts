import type { CodeableConcept } from "fhir/r4.js";
import { Refusal } from "../refusal.ts";

/** The code of a status that R4 says as a concept and others as a code. */
export const codeOf = (concept: CodeableConcept | undefined): string | undefined => concept?.coding?.[0]?.code;

/** A code by a table; what is not in it is said as it is. */
export const said = (code: string | undefined, table: Record<string, string>): string | undefined =>
  code === undefined ? undefined : (table[code] ?? code);

/** A code of an older version as R4's; 422 when that version has no such code. */
export function understood<Code extends string>(code: string | undefined, table: Record<string, Code>, element: string): Code | undefined {
  if (code === undefined) return undefined;
  const known = Object.hasOwn(table, code) ? table[code] : undefined;
  if (known === undefined) throw new Refusal(422, "code-invalid", `${element} has a code that this version does not know`);
  return known;
}
