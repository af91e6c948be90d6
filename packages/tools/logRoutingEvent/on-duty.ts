import type { RoutingReason, StaffDestination } from "@vitaline/contract";
import { destinationsFor, hoursOf, isOpen, nextOpening } from "@vitaline/offices";
import { allRows, keys, type OfficeRow, type TenantRow } from "@vitaline/store";
import type { Run } from "../sdk/run.ts";
import { normalName } from "../speech/names.ts";
import { reasonFrom } from "./reasons.ts";

/** The call's office; without one, the tenant's only active office, if it has but one. One read. */
export async function officeOf({ ctx, call }: Run): Promise<OfficeRow | undefined> {
  if (call.officeId !== undefined) return ctx.store.get<OfficeRow>(keys.office(call.officeId));
  const all = await allRows<OfficeRow>(ctx.store, keys.tenantPartitions.config(ctx.tenantId), { prefix: "OFFICE#" });
  const [only, ...others] = all.filter(({ isActive }) => isActive);
  return others.length === 0 ? only : undefined;
}

type Asked = { said: string; reason: RoutingReason; destination?: string };
type Place = { label: string; phone: string };

/** Who takes calls of this kind now, in the order to be tried; whom the caller named goes first. Where no office is known, the clinic itself. */
export function onDuty({ tenant, ctx }: Run, office: OfficeRow | undefined, { said, reason, destination }: Asked): Place[] {
  if (!office) return clinicItself(tenant, ctx.clock());
  const word = wordFor(office, { said, reason });
  const all = destinationsFor(tenant, office, word, ctx.clock());
  const named = destination === undefined ? [] : all.filter(({ label }) => sounds(label, destination));
  return [...named, ...all.filter((one) => !named.includes(one))].map(({ label, phone }) => ({ label, phone }));
}

const clinicItself = (tenant: TenantRow, now: Date): Place[] =>
  tenant.contactPhone && isOpen(hoursOf(tenant), now) ? [{ label: "the clinic", phone: tenant.contactPhone }] : [];

const sounds = (label: string, destination: string): boolean => {
  const [one, other] = [normalName(label), normalName(destination)];
  return one.includes(other) || other.includes(one);
};

/** The office's own word for the reason: one that was said, else one that means the same. */
function wordFor({ staffRouting = [] }: OfficeRow, { said, reason }: Omit<Asked, "destination">): string {
  const words = staffRouting.flatMap(({ reasons }: StaffDestination) => reasons);
  const spoken = ` ${normalName(said)} `;
  return (
    words.find((word) => normalName(word) !== "" && spoken.includes(` ${normalName(word)} `)) ??
    words.find((word) => reason !== "other" && reasonFrom(word) === reason) ??
    reason
  );
}

/** When the doors open next, by the office's hours or the tenant's; undefined while they are open, and for hours that never begin. */
export function openingOf({ tenant, ctx }: Run, office: OfficeRow | undefined): { at: Date; timeZone: string } | undefined {
  const hours = hoursOf(tenant, office);
  const now = ctx.clock();
  const at = nextOpening(hours, now);
  return at && at > now ? { at, timeZone: hours.timezone } : undefined;
}
