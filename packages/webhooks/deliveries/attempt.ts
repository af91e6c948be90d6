import { seal, unseal } from "@vitaline/aws";
import { awaitAllThenThrow, errorFields, isAppError } from "@vitaline/core";
import { keys, update, type DeliveryRow, type SealedWebhookRow, type TenantContext, type WebhookRow } from "@vitaline/store";
import { disableWebhook, hasFailedTooLong, recordFailure, recordSuccess, type Health } from "../subscriptions/health.ts";
import { secretPurpose } from "../subscriptions/secret.ts";
import { dueFieldsAt, dueFields } from "./delivery.ts";
import { payloadOf } from "./payload.ts";
import { send, type Attempt, type Message } from "./send.ts";

export type DeliveryRun = {
  /** Failing webhooks only: the next attempt in epoch milliseconds. */
  nextTryMs: Map<string, number>;
  /** The earliest retry in epoch milliseconds. */
  againAtMs: number;
  /** Timeout of one attempt. */
  attemptMs: number;
};
export const newDeliveryRun = (attemptMs = 10_000): DeliveryRun => ({
  nextTryMs: new Map(),
  againAtMs: Number.POSITIVE_INFINITY,
  attemptMs,
});

const maxAttemptsKept = 20;
const gone = 410;

/**
 * Attempts a due delivery; false if it is not due any more. One strongly consistent batch read, one write, and one more on the
 * first attempt to store the payload. Writes are conditional on the version that was read. A process that dies after sending has
 * written nothing, so delivery is at least once. Throws AWS errors.
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
  if (!tenant?.isActive || !webhook?.isActive || !secret) return endDelivery(ctx, row, "webhook_inactive");
  const message = await buildMessage(ctx, { row, webhook, secret }, now);
  if (message === "changed") return false;
  if (message === "source_gone") return endDelivery(ctx, row, message);
  if (message === "internal_error") return retryLater(ctx, run, row, { at: now.toISOString(), ms: 0, code: message });
  const attempted = await send(message, now, run.attemptMs);
  const read: Read = { row, webhook, health };
  await (attempted.code === undefined ? delivered(ctx, run, read, attempted) : failed(ctx, run, read, attempted));
  return true;
}

type Read = { row: DeliveryRow; webhook: WebhookRow; health: Health | undefined };

/** "changed" if the row was changed since it was read. */
async function buildMessage(
  ctx: TenantContext,
  { row, webhook, secret }: { row: DeliveryRow; webhook: WebhookRow; secret: SealedWebhookRow },
  now: Date,
): Promise<Message | "source_gone" | "internal_error" | "changed"> {
  try {
    const stored = row.hasContact && !webhook.includeContact ? undefined : row.sealed;
    const built = stored ? { body: await unseal("phi", ctx.tenantId, stored) } : await makeBody(ctx, row, webhook);
    return typeof built === "string" ? built : { url: webhook.url, id: row.id, ...built, secrets: await unsealSecrets(ctx, secret, now) };
  } catch (error) {
    if (isAppError(error)) throw error;
    // An error of ours must not block later deliveries.
    ctx.log("error", "webhook.not_made", { tenantId: ctx.tenantId, ...errorFields(error) });
    return "internal_error";
  }
}

/**
 * Stored before it is sent, so that every attempt sends the same bytes. A body with contact data is built again once the webhook
 * excludes contacts.
 */
async function makeBody(ctx: TenantContext, row: DeliveryRow, webhook: WebhookRow): Promise<{ body: string } | "source_gone" | "changed"> {
  const payload = await payloadOf(ctx, row, webhook);
  if (!payload) return "source_gone";
  const body = JSON.stringify(payload);
  const sealed = await seal("phi", ctx.tenantId, body);
  const hasContact = payload.type === "lead.captured" && payload.data.contact !== null;
  const { equals } = versionUnchanged(row);
  const payloadUnchanged = row.sealed === undefined ? { equals, absent: ["sealed"] } : { equals: { ...equals, sealed: row.sealed } };
  const isStored = await ctx.store.writeUnaudited(
    update<DeliveryRow>(keys.delivery(row.id), { set: { sealed, hasContact } }, payloadUnchanged),
  );
  return isStored ? { body } : "changed";
}

const unsealSecrets = (ctx: TenantContext, { ciphertext, previous }: SealedWebhookRow, now: Date): Promise<string[]> =>
  awaitAllThenThrow(
    [ciphertext, ...(previous && Date.parse(previous.until) > now.getTime() ? [previous.ciphertext] : [])].map((sealed) =>
      unseal(secretPurpose, ctx.tenantId, sealed),
    ),
  );

const versionUnchanged = ({ version }: DeliveryRow) => ({ equals: { version, status: "pending" } });
const withAttempt = ({ attempts }: DeliveryRow, attempted: Attempt): Attempt[] => [...attempts, attempted].slice(-maxAttemptsKept);

type Changed = Partial<DeliveryRow>;
/** Does nothing if the row was changed since it was read. */
const updateDelivery = (ctx: TenantContext, row: DeliveryRow, set: Changed, removed: (keyof DeliveryRow)[] = []) =>
  ctx.store.writeUnaudited(
    update<DeliveryRow>(keys.delivery(row.id), { set: { ...set, version: row.version + 1 }, remove: removed }, versionUnchanged(row)),
  );

async function endDelivery(ctx: TenantContext, row: DeliveryRow, code: string): Promise<true> {
  await updateDelivery(ctx, row, { status: "failed", code }, [...dueFields]);
  return true;
}

async function delivered(ctx: TenantContext, run: DeliveryRun, { row, webhook, health }: Read, attempted: Attempt): Promise<void> {
  run.nextTryMs.delete(webhook.id);
  await updateDelivery(ctx, row, { status: "delivered", tries: row.tries + 1, attempts: withAttempt(row, attempted) }, [
    "code",
    ...dueFields,
  ]);
  if (health?.failingSince) await recordSuccess(ctx, webhook.id);
}

async function failed(ctx: TenantContext, run: DeliveryRun, { row, webhook, health }: Read, attempted: Attempt): Promise<void> {
  await retryLater(ctx, run, row, attempted);
  const now = ctx.clock();
  if (attempted.httpStatus === gone) return disableWebhook(ctx, webhook, "gone");
  const nextTryMs = await recordFailure(ctx, webhook.id, now);
  if (nextTryMs !== undefined) run.nextTryMs.set(webhook.id, nextTryMs);
  if (health?.failingSince && hasFailedTooLong(health.failingSince, now)) await disableWebhook(ctx, webhook, "failing");
}

/** Gives up after the last attempt. */
async function retryLater(ctx: TenantContext, run: DeliveryRun, row: DeliveryRow, attempted: Attempt): Promise<true> {
  const tries = row.tries + 1;
  const wait = attempted.httpStatus === gone ? undefined : retryDelayMs(tries);
  const changes: Changed = { tries, attempts: withAttempt(row, attempted), ...(attempted.code ? { code: attempted.code } : {}) };
  if (wait === undefined) {
    await updateDelivery(ctx, row, { ...changes, status: "failed" }, [...dueFields]);
    return true;
  }
  const nextMs = ctx.clock().getTime() + wait;
  await updateDelivery(ctx, row, { ...changes, ...dueFieldsAt(ctx.tenantId, row.id, new Date(nextMs).toISOString()) });
  run.againAtMs = Math.min(run.againAtMs, nextMs);
  return true;
}

const [second, minute, hour] = [1000, 60_000, 3_600_000];
const retryDelaysMs = [5 * second, 30 * second, 2 * minute, 10 * minute, hour, 6 * hour, 24 * hour];

/** At most this share is added, so that retries spread out. */
const jitter = 0.2;

/** undefined after the last attempt. */
export function retryDelayMs(tries: number, chance: number = Math.random()): number | undefined {
  const wait = retryDelaysMs[tries - 1];
  return wait && Math.round(wait * (1 + jitter * chance));
}
