import { countsOfAudit, feedKey, feedRow } from "@vitaline/audit";
import { daySortKey } from "@vitaline/calls";
import { awaitAllThenThrow } from "@vitaline/core";
import { auditCategories, create, keys, put, type AuditRow } from "@vitaline/store";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import * as z from "zod/mini";
import type { Image } from "../../../lib/dynamodb-stream/stream-event.ts";
import { platformIncrement } from "../stats/counter-increments.ts";
import type { Increment } from "../stats/increment-exactly-once.ts";

/** `date` is a UTC day. */
type SignIn = { date: string; userId: string; at: string };
export type AuditFacts = { increments: Increment[]; feed: AuditRow; signIn?: SignIn };

const activeUserSeconds = 40 * 86_400;

const Row = z.object({
  id: z.string().check(z.minLength(1)),
  at: z.iso.datetime(),
  tenantId: z.optional(z.string()),
  actorKind: z.string(),
  actorId: z.string(),
  actorRole: z.optional(z.literal("system_admin")),
  category: z.enum(auditCategories),
  action: z.string(),
  resourceType: z.string(),
  resourceId: z.optional(z.string()),
  success: z.boolean(),
  code: z.optional(z.string()),
  clientAddress: z.string(),
  requestId: z.string(),
  callKey: z.optional(z.string()),
  detail: z.optional(z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]))),
  expiresAt: z.number(),
});

/** What every audit row adds to the platform's feed and counts. Throws when it is malformed. */
export function readAuditFacts(image: Image): AuditFacts {
  const row = z.parse(Row, image);
  const counts = countsOfAudit(row);
  const isSignIn = counts["logins"] === 1 && row.actorKind === "user";
  return {
    increments: [platformIncrement(daySortKey(row.at), counts)],
    feed: row,
    signIn: isSignIn ? { date: row.at.slice(0, 10), userId: row.actorId, at: row.at } : undefined,
  };
}

/**
 * Writes audit rows into the platform's feed, and sign-ins into the day's list of active users. Repeatable: both have
 * fixed keys, and active users are counted from the inserts into that list.
 */
export async function projectAuditFeed(ctx: PlatformContext, facts: readonly AuditFacts[]): Promise<void> {
  await awaitAllThenThrow([
    ...facts.map(({ feed }) => ctx.platform.writeUnaudited(put(feedKey(feed), feedRow(feed)))),
    ...facts.flatMap(({ signIn }) => (signIn ? [writeSignIn(ctx, signIn)] : [])),
  ]);
}

const writeSignIn = (ctx: PlatformContext, { date, userId, at }: SignIn) =>
  ctx.platform.writeUnaudited(
    create(keys.activeUser(date, userId), { at, expiresAt: Math.floor(Date.parse(at) / 1000) + activeUserSeconds }),
  );
