import { settleAll, AppError, digest, errorFields } from "@vitaline/core";
import type { Strategy } from "@vitaline/fhir-providers";
import { type CallStateRow, type Condition, keys, update } from "@vitaline/store";
import type { Appointment, Identifier } from "fhir/r4.js";
import type { Run } from "../sdk/run.ts";
import { requestKeyIn } from "../sdk/references.ts";
import { callSystem, keepsIdentifiers } from "./appointments.ts";
import type { OpenSlot } from "./calendar.ts";

const maxPerCall = 3;
const maxPerPatient = 5;

export const callIdentifier = ({ ctx, call }: Run): Identifier => ({
  system: callSystem,
  value: digest("appointment-call", ctx.tenantId, call.callKey).slice(0, 40),
});

export const slotHolder = (run: Run): string => `call:${callIdentifier(run).value}`;

/** Holds an offered slot for this call in place of an earlier one. False if another call has it. */
export async function holdSlot(run: Run, { slotId }: OpenSlot): Promise<boolean> {
  const { ctx, call } = run;
  if (!(await run.ehr.keepSlot(slotId, slotHolder(run)))) return false;
  await settleAll([
    ctx.store.writeUnaudited(update<CallStateRow>(keys.callState(call.callKey), { set: { keptSlot: slotId } }, { exists: true })),
    releaseHeldSlot(run, slotId),
  ]);
  return true;
}

export async function releaseHeldSlot(run: Run, except?: string): Promise<void> {
  const kept = run.state?.keptSlot;
  if (kept !== undefined && kept !== except) await run.ehr.giveUpSlot(kept, slotHolder(run));
}

const isOfCall = (run: Run, { identifier = [] }: Appointment): boolean =>
  identifier.some(({ system, value }) => system === callSystem && value === callIdentifier(run).value);

/** undefined below the limits. */
export function limitReached(run: Run, upcoming: readonly Appointment[]): "call" | "patient" | undefined {
  // At servers without identifiers, the first booking is not counted.
  const inCall = Math.max(upcoming.filter((one) => isOfCall(run, one)).length, (run.state?.booked ?? 0) + 1);
  if (inCall >= maxPerCall) return "call";
  return upcoming.filter((one) => requestKeyIn(one) !== undefined).length >= maxPerPatient ? "patient" : undefined;
}

/** At servers without identifiers, existing appointments may be of this call. */
export const needsCount = (upcoming: readonly Appointment[], strategy: Strategy): boolean =>
  upcoming.length > 0 && !keepsIdentifiers(strategy);

/** Counts one more booking before it is made; `release` undoes it. One write unit. AppError `in_progress` during another booking. */
export async function countBooking({ ctx, call, state }: Pick<Run, "ctx" | "call" | "state">): Promise<{ release(): Promise<void> }> {
  const key = keys.callState(call.callKey);
  const asRead: Condition = {
    exists: true,
    ...(state?.booked === undefined ? { absent: ["booked"] } : { equals: { booked: state.booked } }),
  };
  if (!(await ctx.store.writeUnaudited(update<CallStateRow>(key, { add: { booked: 1 } }, asRead))))
    throw new AppError("in_progress", "Another appointment is being made in this call.");
  return {
    release: () =>
      ctx.store.writeUnaudited(update<CallStateRow>(key, { add: { booked: -1 } }, { exists: true })).then(
        () => {},
        // A count that stays too high does no harm.
        (error: unknown) => ctx.log("warn", "tool.booking_kept", errorFields(error)),
      ),
  };
}
