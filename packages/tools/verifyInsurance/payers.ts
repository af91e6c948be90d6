import { awaitAllThenThrow, isAppError } from "@vitaline/core";
import type { Coverage, Organization } from "fhir/r4.js";
import { openIfAllowed, type Run } from "../sdk/run.ts";
import { referencedId } from "../patient/chart.ts";
import { payerOf } from "./coverage.ts";

export const payerScopes = ["system/Organization.rs"];
const maxPayers = 5;

const organizationOf = ({ payor }: Coverage): string | undefined =>
  payor.map(({ reference }) => referencedId(reference, "Organization")).find((id) => id !== undefined);

/** Adds the names of referenced insurers, if the connection allows it. */
export async function withPayerNames(run: Run, coverages: Coverage[]): Promise<Coverage[]> {
  const nameless = coverages.filter((one) => payerOf(one) === undefined);
  const ids = [...new Set(nameless.flatMap((one) => organizationOf(one) ?? []))].slice(0, maxPayers);
  const ehr = ids.length > 0 ? await openIfAllowed(run, payerScopes) : undefined;
  if (!ehr) return coverages;
  const read = (id: string): Promise<Organization | undefined> =>
    ehr.read<Organization>("Organization", id, { signal: run.signal }).catch((error: unknown) => {
      if (isAppError(error, "ehr_not_found", "ehr_forbidden", "ehr_unsupported")) return undefined;
      throw error;
    });
  const names = new Map((await awaitAllThenThrow(ids.map(read))).map((one) => [one?.id, one?.name]));
  return coverages.map((one) => {
    const name = payerOf(one) === undefined ? names.get(organizationOf(one)) : undefined;
    return name === undefined ? one : { ...one, payor: [{ ...one.payor[0], display: name }, ...one.payor.slice(1)] };
  });
}
