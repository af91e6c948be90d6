import type { RoutingReason, StaffDestination } from "@vitaline/contract";
import { destinationsFor, hoursOf, isOpen, nextOpening } from "@vitaline/offices";
import { dialableNumber } from "@vitaline/messages";
import type { OfficeRow, TenantRow } from "@vitaline/store";
import { officeOf } from "../sdk/call-office.ts";
import type { Run } from "../sdk/run.ts";
import { normalizeName } from "../nlu/names.ts";
import { reasonFrom } from "./reasons.ts";

type Asked = { said: string; reason: RoutingReason; destination?: string };
type Destination = { label: string; phone: string };

type OfCall = Pick<Run, "tenant" | "ctx" | "call">;

/** The call's office, or the tenant's only one, and who takes the call. `known`: the call's office, if it was read. */
export async function staffOfCall(
  run: OfCall,
  asked: Asked,
  known?: OfficeRow,
): Promise<{ office: OfficeRow | undefined; destinations: Destination[] }> {
  const office = known ?? (await officeOf(run));
  return { office, destinations: destinationsOnDuty(run, office, asked) };
}

/**
 * Staff numbers for this reason, as they are dialed, in dialing order, the requested one first. For a call of no office, the clinic's own
 * number where its only office has none.
 */
function destinationsOnDuty({ tenant, ctx, call }: OfCall, office: OfficeRow | undefined, asked: Asked): Destination[] {
  const staff = office ? staffOnDuty({ tenant, ctx }, office, asked) : [];
  return staff.length > 0 || (office && call.officeId !== undefined) ? staff : clinicNumber(tenant, ctx.clock());
}

function staffOnDuty({ tenant, ctx }: Pick<Run, "tenant" | "ctx">, office: OfficeRow, { said, reason, destination }: Asked): Destination[] {
  const word = routingWordFor(office, { said, reason });
  const all = destinationsFor(tenant, office, word, ctx.clock());
  const named = destination === undefined ? [] : all.filter(({ label }) => matchesLabel(label, destination));
  return [...named, ...all.filter((one) => !named.includes(one))].map(({ label, phone }) => ({
    label,
    phone: dialableNumber(phone),
  }));
}

const clinicNumber = (tenant: TenantRow, now: Date): Destination[] =>
  tenant.contactPhone && isOpen(hoursOf(tenant), now) ? [{ label: "the clinic", phone: dialableNumber(tenant.contactPhone) }] : [];

const matchesLabel = (label: string, destination: string): boolean => {
  const [one, other] = [normalizeName(label), normalizeName(destination)];
  return one.includes(other) || other.includes(one);
};

/** The office's own word for the reason: a spoken one, else one with the same meaning. */
function routingWordFor({ staffRouting = [] }: OfficeRow, { said, reason }: Omit<Asked, "destination">): string {
  const words = staffRouting.flatMap(({ reasons }: StaffDestination) => reasons);
  const spoken = ` ${normalizeName(said)} `;
  return (
    words.find((word) => normalizeName(word) !== "" && spoken.includes(` ${normalizeName(word)} `)) ??
    words.find((word) => reason !== "other" && reasonFrom(word) === reason) ??
    reason
  );
}

/** undefined while the office is open, or if it never opens. */
export function nextOpeningOf({ tenant, ctx }: Run, office: OfficeRow | undefined): { at: Date; timeZone: string } | undefined {
  const hours = hoursOf(tenant, office);
  const now = ctx.clock();
  const at = nextOpening(hours, now);
  return at && at > now ? { at, timeZone: hours.timezone } : undefined;
}
