import { seal, unseal } from "@vitaline/aws";
import { allDone, errorFields, isAppError } from "@vitaline/core";
import { type DeliveryRow, keys, type SealedWebhookRow, type TenantContext, update, type WebhookRow } from "@vitaline/store";
import { dueAt, dueNoMore } from "./delivery.ts";
import { type Health, isGivenUp, noteFailure, noteSuccess, switchOff } from "../subscriptions/health.ts";
import { payloadOf } from "./payload.ts";
import { secretPurpose } from "../subscriptions/secret.ts";
import { type Attempt, type Message, send } from "./send.ts";

/** What a run of deliveries remembers while it lasts. */
export type DeliveryRun = {
  /** When each webhook that fails is tried next, in epoch milliseconds; those that are well are not in it. */
  nextTryMs: Map<string, number>;
  /** When the first of those is due again that failed, in epoch milliseconds. */
  againAtMs: number;
  /** How long a receiver may take to answer. */
  attemptMs: number;
};
export const newRun = (attemptMs = 10_000): DeliveryRun => ({ nextTryMs: new Map(), againAtMs: Number.POSITIVE_INFINITY, attemptMs });

const attemptsKept = 20;
const gone = 410;

/**
 * Sees to a delivery that is due; false when it is not any more. One strong read, one write and, for the first attempt, one to keep the
 * payload. Every change of the row asks for the version that was read: of two at once, one writes. A process that dies after it has
 * sent has written nothing, so it is sent again: at least once. Throws what AWS throws while it cannot be asked.
 */
export async function attempt(ctx: TenantContext, run: DeliveryRun, due: Pick<DeliveryRow, "id" | "webhookId">): Promise<boolean> {
  const [tenant, row, webhook, secret, health] = await ctx.store.batchGet([
    keys.tenantConfig(),
    keys.delivery(due.id),
    keys.webhook(due.webhookId),
    keys.sealedWebhook(due.webhookId),
    keys.webhookHealth(due.webhookId),
  ]);
  const now = ctx.clock();
  if (row?.status !== "pending" || !row.nextAttemptAt || Date.parse(row.nextAttemptAt) > now.getTime()) return false;
  if (!tenant?.isActive || !webhook?.isActive || !secret) return end(ctx, row, "webhook_inactive");
  const message = await messageOf(ctx, { row, webhook, secret }, now);
  if (message === "changed") return false;
  if (message === "source_gone") return end(ctx, row, message);
  if (message === "internal_error") return again(ctx, run, row, { at: now.toISOString(), ms: 0, code: message });
  const made = await send(message, now, run.attemptMs);
  const read: Read = { row, webhook, health };
  await (made.code === undefined ? delivered(ctx, run, read, made) : failed(ctx, run, read, made));
  return true;
}

type Read = { row: DeliveryRow; webhook: WebhookRow; health: Health | undefined };

/** What is to be sent, or why it cannot be: "changed" where somebody has changed the row since it was read. */
async function messageOf(
  ctx: TenantContext,
  { row, webhook, secret }: { row: DeliveryRow; webhook: WebhookRow; secret: SealedWebhookRow },
  now: Date,
): Promise<Message | "source_gone" | "internal_error" | "changed"> {
  try {
    const kept = row.hasContact && !webhook.includeContact ? undefined : row.sealed;
    const made = kept ? { body: await unseal("phi", ctx.tenantId, kept) } : await makeBody(ctx, row, webhook);
    return typeof made === "string" ? made : { url: webhook.url, id: row.id, ...made, secrets: await secretsOf(ctx, secret, now) };
  } catch (error) {
    if (isAppError(error)) throw error;
    // A mistake of ours: it must not hold up what waits behind it
    ctx.log("error", "webhook.not_made", { tenantId: ctx.tenantId, ...errorFields(error) });
    return "internal_error";
  }
}

/**
 * The bytes that this attempt and all that follow send: they are kept before they leave. Those with contact data are made anew without,
 * once the webhook wants it no more.
 */
async function makeBody(ctx: TenantContext, row: DeliveryRow, webhook: WebhookRow): Promise<{ body: string } | "source_gone" | "changed"> {
  const payload = await payloadOf(ctx, row, webhook);
  if (!payload) return "source_gone";
  const body = JSON.stringify(payload);
  const sealed = await seal("phi", ctx.tenantId, body);
  const hasContact = payload.type === "lead.captured" && payload.data.contact !== null;
  const { equals } = asRead(row);
  const untouched = row.sealed === undefined ? { equals, absent: ["sealed"] } : { equals: { ...equals, sealed: row.sealed } };
  const kept = await ctx.store.note(update<DeliveryRow>(keys.delivery(row.id), { set: { sealed, hasContact } }, untouched));
  return kept ? { body } : "changed";
}

const secretsOf = (ctx: TenantContext, { ciphertext, previous }: SealedWebhookRow, now: Date): Promise<string[]> =>
  allDone(
    [ciphertext, ...(previous && Date.parse(previous.until) > now.getTime() ? [previous.ciphertext] : [])].map((sealed) =>
      unseal(secretPurpose, ctx.tenantId, sealed),
    ),
  );

const asRead = ({ version }: DeliveryRow) => ({ equals: { version, status: "pending" } });
const withAttempt = ({ attempts }: DeliveryRow, made: Attempt): Attempt[] => [...attempts, made].slice(-attemptsKept);

type Changed = Partial<DeliveryRow>;
/** Changes a row as it was read; where somebody else has changed it since, that stands. */
const change = (ctx: TenantContext, row: DeliveryRow, set: Changed, removed: (keyof DeliveryRow)[] = []) =>
  ctx.store.note(update<DeliveryRow>(keys.delivery(row.id), { set: { ...set, version: row.version + 1 }, remove: removed }, asRead(row)));

async function end(ctx: TenantContext, row: DeliveryRow, code: string): Promise<true> {
  await change(ctx, row, { status: "failed", code }, [...dueNoMore]);
  return true;
}

async function delivered(ctx: TenantContext, run: DeliveryRun, { row, webhook, health }: Read, made: Attempt): Promise<void> {
  run.nextTryMs.delete(webhook.id);
  await change(ctx, row, { status: "delivered", tries: row.tries + 1, attempts: withAttempt(row, made) }, ["code", ...dueNoMore]);
  if (health?.failingSince) await noteSuccess(ctx, webhook.id);
}

async function failed(ctx: TenantContext, run: DeliveryRun, { row, webhook, health }: Read, made: Attempt): Promise<void> {
  await again(ctx, run, row, made);
  const now = ctx.clock();
  if (made.httpStatus === gone) return switchOff(ctx, webhook, "gone");
  const nextTryMs = await noteFailure(ctx, webhook.id, now);
  if (nextTryMs !== undefined) run.nextTryMs.set(webhook.id, nextTryMs);
  if (health?.failingSince && isGivenUp(health.failingSince, now)) await switchOff(ctx, webhook, "failing");
}

/** For later, if there is a later. */
async function again(ctx: TenantContext, run: DeliveryRun, row: DeliveryRow, made: Attempt): Promise<true> {
  const tries = row.tries + 1;
  const wait = made.httpStatus === gone ? undefined : waitMs(tries);
  const told: Changed = { tries, attempts: withAttempt(row, made), ...(made.code ? { code: made.code } : {}) };
  if (wait === undefined) {
    await change(ctx, row, { ...told, status: "failed" }, [...dueNoMore]);
    return true;
  }
  const nextMs = ctx.clock().getTime() + wait;
  await change(ctx, row, { ...told, ...dueAt(ctx.tenantId, row.id, new Date(nextMs).toISOString()) });
  run.againAtMs = Math.min(run.againAtMs, nextMs);
  return true;
}

const [second, minute, hour] = [1000, 60_000, 3_600_000];
const waitsMs = [5 * second, 30 * second, 2 * minute, 10 * minute, hour, 6 * hour, 24 * hour];

/** A fifth at most is added by chance, so that what failed together does not come back together. */
const jitter = 0.2;

/** How long to wait after so many failed attempts; undefined after the last one. */
export function waitMs(tries: number, chance: number = Math.random()): number | undefined {
  const wait = waitsMs[tries - 1];
  return wait && Math.round(wait * (1 + jitter * chance));
}
