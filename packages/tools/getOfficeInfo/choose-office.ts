import type { OfficeRow } from "@vitaline/store";
import { activeOffices, officeOf } from "../sdk/call-office.ts";
import type { Run } from "../sdk/run.ts";
import { matchesPlace } from "../nlu/who/read-place.ts";

/** `offices`: those among which the caller has to choose; `isUnknown`: none has the name. */
export type Choice = { office?: OfficeRow | undefined; offices: readonly OfficeRow[]; isUnknown?: true };

const matches = ({ name, address }: OfficeRow, said: string): boolean => matchesPlace([name, address], said);

/** The named office, else the called one, else the tenant's only one. One read. */
export async function chooseOffice(run: Run, location: string | undefined): Promise<Choice> {
  if (location === undefined && run.call.officeId !== undefined) {
    const office = await officeOf(run);
    return { office: office?.isActive ? office : undefined, offices: [] };
  }
  const all = await activeOffices(run);
  const [only, ...others] = all;
  // A tenant with one office has no other.
  if (others.length === 0) return { office: only, offices: [] };
  if (location === undefined) return { offices: all };
  const named = all.filter((office) => matches(office, location));
  if (named.length === 1) return { office: named[0], offices: [] };
  return named.length === 0 ? { offices: all, isUnknown: true } : { offices: named };
}
