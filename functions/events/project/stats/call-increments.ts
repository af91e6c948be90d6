import { isDeepStrictEqual } from "node:util";
import { countsForBill, countsOfCall, monthOf, monthSortKey, totalSortKey, type CountedCall } from "@vitaline/calls";
import { CallStatus, Id } from "@vitaline/contract";
import { dayIn } from "@vitaline/core";
import * as z from "zod/mini";
import type { Image } from "../../../lib/dynamodb-stream/stream-event.ts";
import { type CountedTenant, negate, platformIncrement, tenantIncrement, tenantIncrements } from "./counter-increments.ts";
import type { Increment } from "./increment-exactly-once.ts";

const CountedRow = z.object({
  startedAt: z.iso.datetime(),
  /** It becomes part of a key. */
  day: z.optional(z.iso.date()),
  status: CallStatus,
  forwarded: z.boolean(),
  success: z.optional(z.boolean()),
  statedResolved: z.optional(z.boolean()),
  helped: z.optional(z.boolean()),
  soughtStaff: z.optional(z.boolean()),
  cutShort: z.optional(z.boolean()),
  hasSignals: z.optional(z.boolean()),
  durationSeconds: z.optional(z.number()),
  endSeenAt: z.optional(z.iso.datetime()),
  /** It becomes part of a key, so other values than ids are dropped. */
  officeId: z.catch(z.optional(Id), undefined),
});

/**
 * The difference between the old and the new counts of a call, so a late report corrects the totals. Both are of the day that is on
 * the row; older rows have none. `changedAt`: when the row changed.
 */
export const callIncrements = (
  tenant: CountedTenant,
  before: Image | undefined,
  after: Image,
  changedAt: string | undefined,
): Increment[] => [
  ...(before ? negate(countedIncrements(tenant, { ...before, day: before["day"] ?? after["day"] })) : []),
  ...countedIncrements(tenant, after),
  ...billIncrements(tenant, before, after, changedAt),
];

const countedIncrements = ({ tenantId, timeZone }: CountedTenant, image: Image): Increment[] => {
  if (image["endSeenAt"] === undefined) return [];
  const call: CountedCall & { startedAt: string; day?: string; officeId?: string } = z.parse(CountedRow, image);
  const counts = countsOfCall(call);
  const { totalCalls = 0, successfulCalls = 0 } = counts;
  const { startedAt, day = dayIn(timeZone, new Date(startedAt)), officeId } = call;
  return [...tenantIncrements(tenantId, day, officeId, counts), platformIncrement(totalSortKey, { totalCalls, successfulCalls })];
};

/** A call is billed in the month in which its end became known, a correction in the month of the correction. */
const billIncrements = (
  { tenantId, timeZone }: CountedTenant,
  before: Image | undefined,
  after: Image,
  changedAt: string | undefined,
): Increment[] => {
  const endSeenAt = after["endSeenAt"];
  if (typeof endSeenAt !== "string") return [];
  const isCorrection = before?.["endSeenAt"] !== undefined;
  const billedAt = (isCorrection ? changedAt : undefined) ?? endSeenAt;
  const { startedAt, day = dayIn(timeZone, new Date(startedAt)) } = z.parse(CountedRow, after);
  const isOfEarlierMonth = monthOf(day) < monthOf(billedAt);
  const bill = (image: Image): Increment =>
    tenantIncrement(tenantId, monthSortKey(billedAt), countsForBill(countsOfCall(z.parse(CountedRow, image)), isOfEarlierMonth));
  return [...(isCorrection ? negate([bill(before)]) : []), bill(after)];
};

/** A new retention period rewrites all calls of a tenant and changes no counts. */
export const isRetentionChange = (before: Image | undefined, after: Image): boolean => {
  if (before === undefined || before["expiresAt"] === after["expiresAt"]) return false;
  const { expiresAt, textsUntil } = after;
  return isDeepStrictEqual({ ...before, expiresAt, textsUntil }, { ...after, textsUntil });
};
