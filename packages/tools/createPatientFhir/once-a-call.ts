import { newId } from "@vitaline/core";
import { keys, type CallStateRow, type Place } from "@vitaline/store";
import type { Run } from "../define-tool.ts";
import { placeOfRequest, takePlace, type TakenPlace } from "../take-place.ts";

const name = "newPatient";
const stateMs = 4 * 3_600_000;

/** The call's place for a new patient, if this request has it. */
export const placeOf = ({ state, requestKey }: Pick<Run, "state" | "requestKey">): Place | undefined =>
  placeOfRequest(state, name, requestKey);
/** Whether a request of the call has it. */
export const isTaken = (state: CallStateRow | undefined): boolean => (state?.[name] ?? 0) > 0;

/**
 * Takes the call's one place for a new patient, for this request; its value is the id of the lead that it may leave. undefined when
 * another request has it. It is in the call's state, which each run reads first. AppErrors as takePlace.
 */
export const takeTurn = (run: Run): Promise<TakenPlace | undefined> =>
  takePlace(
    run,
    { key: keys.callState(run.call.callKey), name, limit: 1, lifeMs: stateMs, closedBy: "closedAt", beside: { level: 0 } },
    newId(run.ctx.clock().getTime()),
  );
