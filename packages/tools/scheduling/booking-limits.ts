import { allDone, AppError, digest, errorFields } from "@vitaline/core";
import type { Strategy } from "@vitaline/fhir-providers";
import { type CallStateRow, type Condition, keys, update } from "@vitaline/store";
import type { Appointment, Identifier } from "fhir/r4.js";
import type { Run } from "../sdk/run.ts";
import { requestOf } from "../sdk/references.ts";
import { callSystem, keepsMarks } from "./appointments.ts";
import type { OpenSlot } from "./calendar.ts";

/** Nobody needs more, and nobody is to fill a clinic's calendar by phone. */
const mostPerCall = 3;
const mostPerPatient = 5;

export const callMark = ({ ctx, call }: Run): Identifier => ({
  system: callSystem,
  value: digest("appointment-call", ctx.tenantId, call.callKey).slice(0, 40),
});

/** Under whose name a time is kept for a call that has been told of it. */
export const keeperOf = (run: Run): string => `call:${callMark(run).value}`;

/** Keeps an offered time for this call, instead of one that it was kept before. False while somebody else has it. */
export async function keep(run: Run, { slotId }: OpenSlot): Promise<boolean> {
  const { ctx, call } = run;
  if (!(await run.ehr.keepSlot(slotId, keeperOf(run)))) return false;
  await allDone([
    ctx.store.note(update<CallStateRow>(keys.callState(call.callKey), { set: { keptSlot: slotId } }, { exists: true })),
    giveUpKept(run, slotId),
  ]);
  return true;
}

/** Gives back what is kept for this call, unless it is this slot. */
export async function giveUpKept(run: Run, except?: string): Promise<void> {
  const kept = run.state?.keptSlot;
  if (kept !== undefined && kept !== except) await run.ehr.giveUpSlot(kept, keeperOf(run));
}

const isOfCall = (run: Run, { identifier = [] }: Appointment): boolean =>
  identifier.some(({ system, value }) => system === callSystem && value === callMark(run).value);

/** Why no further appointment is made: because of this call, or of what the patient has; undefined when one may be. */
export function enough(run: Run, upcoming: readonly Appointment[]): "call" | "patient" | undefined {
  // Of what is counted without marks the first one is not.
  const inCall = Math.max(upcoming.filter((one) => isOfCall(run, one)).length, (run.state?.booked ?? 0) + 1);
  if (inCall >= mostPerCall) return "call";
  return upcoming.filter((one) => requestOf(one) !== undefined).length >= mostPerPatient ? "patient" : undefined;
}

/** Whether it has to be counted: where no mark tells what was made in this call, what the patient has could be. */
export const isUnmarked = (upcoming: readonly Appointment[], strategy: Strategy): boolean => upcoming.length > 0 && !keepsMarks(strategy);

/** Counts a further appointment of this call before it is made; `giveBack` is for one that was not. One write unit. AppError `in_progress` when another one is being made. */
export async function countBooking({ ctx, call, state }: Pick<Run, "ctx" | "call" | "state">): Promise<{ giveBack(): Promise<void> }> {
  const key = keys.callState(call.callKey);
  const asRead: Condition = {
    exists: true,
    ...(state?.booked === undefined ? { absent: ["booked"] } : { equals: { booked: state.booked } }),
  };
  if (!(await ctx.store.note(update<CallStateRow>(key, { add: { booked: 1 } }, asRead))))
    throw new AppError("in_progress", "Another appointment is being made in this call.");
  return {
    giveBack: () =>
      ctx.store.note(update<CallStateRow>(key, { add: { booked: -1 } }, { exists: true })).then(
        () => {},
        // A count that stays too high is no reason to fail.
        (error: unknown) => ctx.log("warn", "tool.booking_kept", errorFields(error)),
      ),
  };
}
