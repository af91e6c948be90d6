import type { OfficeRow } from "@vitaline/store";
import { activeOffices } from "../sdk/call-office.ts";
import type { Run } from "../sdk/run.ts";
import { matchesPlace } from "../nlu/who/read-place.ts";

/** `offices`: those among which the caller has to choose; `all`: of the tenant; `isUnknown`: none has the name. */
export type Choice = {
  office?: OfficeRow | undefined;
  offices: readonly OfficeRow[];
  all: readonly OfficeRow[];
  isUnknown?: true;
};

const matches = ({ name, address }: OfficeRow, said: string): boolean => matchesPlace([name, address], said);

/** The named office, else the called one, else the tenant's only one. One read. */
export async function chooseOffice(run: Run, location: string | undefined): Promise<Choice> {
  const all = await activeOffices(run);
  const { officeId } = run.call;
  if (location === undefined && officeId !== undefined) return { office: all.find(({ id }) => id === officeId), offices: [], all };
  const [only, ...others] = all;
  // A tenant with one office has no other.
  if (others.length === 0) return { office: only, offices: [], all };
  if (location === undefined) return { offices: all, all };
  const named = all.filter((office) => matches(office, location));
  if (named.length === 1) return { office: named[0], offices: [], all };
  return named.length === 0 ? { offices: all, all, isUnknown: true } : { offices: named, all };
}
