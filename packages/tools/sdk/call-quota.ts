import { AppError, errorFields } from "@vitaline/core";
import { abandonedAfterMs, claimPlace, type Place, placeIn, releasePlace, settlePlace } from "@vitaline/store";
import type { TenantKey } from "@vitaline/store/keys.ts";
import type { Run } from "./run.ts";

/** Where the places are, how many there are, and how long the row stands after the last was taken. */
export type PlacesOfCall = {
  key: TenantKey<unknown>;
  name: string;
  limit: number;
  lifeMs: number;
  closedBy?: string;
  beside?: Record<string, unknown>;
};
export type TakenPlace = Pick<Place, "value" | "settled"> & {
  /** Every repetition finds it done. */
  settle(): Promise<void>;
  /** For when nothing can have come of it. */
  giveBack(): Promise<void>;
};

/** Enough to tell a few requests apart. */
const shortOf = (requestKey: string): string => requestKey.slice(0, 20);

/** The place of a request in a row of its call that was read. */
export const placeOfRequest = (row: object | undefined, name: string, requestKey: string): Place | undefined =>
  placeIn(row, { name, owner: shortOf(requestKey) });

/**
 * Takes one of a call's places for this request; undefined when there is none left. It is the request's claim as well: AppError
 * `in_progress` while the same request, delivered twice, is at it in another environment; `forbidden` when the call has ended. One write
 * unit, and one more to settle it or to give it back. `value` is kept with it for a repetition.
 */
export async function takePlace(run: Run, places: PlacesOfCall, value?: string): Promise<TakenPlace | undefined> {
  const { ctx, requestKey, triedBy } = run;
  const at = { name: places.name, owner: shortOf(requestKey) };
  const place = await claimPlace(ctx.store, places.key, {
    ...places,
    ...at,
    attempt: ctx.requestId,
    endedAttempt: triedBy,
    nowMs: ctx.clock().getTime(),
    staleAfterMs: abandonedAfterMs,
    ...(value === undefined ? {} : { value }),
  });
  if (place === "full") return undefined;
  if (place === "closed") throw new AppError("forbidden", "The call has ended.");
  if (place === "busy") throw new AppError("in_progress", "The same request is being worked on.");
  const noted = (write: Promise<void>): Promise<void> =>
    write.catch((error: unknown) => ctx.log("warn", "tool.place_kept", errorFields(error)));
  return {
    ...place,
    settle: () => noted(settlePlace(ctx.store, places.key, at, place)),
    giveBack: () => noted(releasePlace(ctx.store, places.key, at, place)),
  };
}
