import { AppError, sha256In, newId } from "@vitaline/core";
import { hoursOf, nextOpening } from "@vitaline/offices";
import { keys, type SentToRow, type TenantContext } from "@vitaline/store";
import { reserveSend, findSend, releaseSend, isInFlight, findDuplicate } from "./send-reservation.ts";
import { isTextAllowed } from "./contacts.ts";
import { deliver, outcomeOf } from "./deliver.ts";
import { deferMessage } from "./defer.ts";
import { callCounterKey, patientCounterKey, tenantCounterKey, isContactLimited, limits } from "./limits.ts";
import { isChannelEnabled } from "./preferences.ts";
import { render, type Content, type Sender } from "./render.ts";
import type { SendRequest, SendResult, FailureReason } from "./request.ts";

type Outcome = Omit<SendResult, "channel" | "purpose">;
/** `previous`: recent sends to the contact. `isLimited`: its call, tenant or patient has reached the limit. */
type Prepared = { sender: Sender; content: Content; previous: SentToRow | undefined; isLimited: boolean };

/**
 * Sends a message during the opening hours of the office, or of the tenant; otherwise defers it to the next opening. Each key is sent
 * at most once, within `limits`. Not sent if the channel is off, the contact has opted out here or at AWS, messages to it bounced
 * recently, or there is no text; the result says so, for the audit. AppError `in_progress` if another process is sending it. One
 * read (two for a deferred message) and one write unit.
 */
export async function sendMessage(ctx: TenantContext, message: SendRequest): Promise<SendResult> {
  return attempt(ctx, message, newId(ctx.clock().getTime()), async (id, prepared) => {
    const { sender, previous, isLimited } = prepared;
    const hours = hoursOf(message.tenant, sender.office);
    const now = ctx.clock();
    if (isLimited || isContactLimited(previous?.sends ?? [], now.getTime())) return { id, ...tooMany };
    const opening = nextOpening(hours, now);
    if (!opening) return { id, ...notDoable("never_open") };
    if (message.isTest)
      return opening <= now ? { id, status: "sent" } : { id, status: "queued", sendAt: opening.toISOString(), timeZone: hours.timezone };
    if (opening <= now) return sendReserved(ctx, message, id, prepared);
    const deferred = await deferMessage(ctx, message, id, opening);
    if (deferred === undefined) return { id, ...tooMany };
    return { id: deferred.messageId, status: "queued", sendAt: deferred.dueAt, timeZone: hours.timezone };
  });
}

/** The same at any hour, for a message whose time was chosen before; `id`: its id in the list of messages. */
export const sendNow = (ctx: TenantContext, message: SendRequest, id: string = newId(ctx.clock().getTime())): Promise<SendResult> =>
  attempt(ctx, message, id, (own, prepared) => sendReserved(ctx, message, own, prepared));

async function attempt(
  ctx: TenantContext,
  { key, tenant, officeId = "none", callKey = "none", request, about }: SendRequest,
  id: string,
  send: (id: string, prepared: Prepared) => Promise<Outcome>,
): Promise<SendResult> {
  const { channel, purpose, to } = request;
  const sent = (outcome: Outcome): SendResult => ({ ...outcome, channel, purpose });
  const [optedOut, previous, office, ofCall, ofTenant, ofPatient] = await ctx.store.batchGet([
    keys.optOut(to),
    keys.sentTo(to),
    keys.office(officeId),
    callCounterKey(callKey),
    tenantCounterKey(ctx.clock()),
    patientCounterKey(about?.patientId ?? "none", ctx.clock()),
  ]);
  const reserved = findSend(previous, key);
  if (reserved && isInFlight(ctx, reserved)) throw inProgress();
  if (reserved) return sent({ id: reserved.messageId, status: "unknown", code: "message_failed" });
  const subject = subjectOf({ callKey, request });
  const duplicate = findDuplicate(previous, subject);
  if (duplicate) return sent({ id: duplicate.messageId, status: "sent", already: true });
  if (optedOut?.reason === "bounced") return sent({ id, ...notDoable("bounced") });
  if (optedOut) return sent({ id, status: "opted_out", code: "opted_out" });
  if (!isChannelEnabled(tenant, channel)) return sent({ id, ...notDoable("switched_off") });
  if (channel === "sms" && !isTextAllowed(tenant, to)) return sent({ id, ...notDoable("abroad") });
  const sender = { tenant, office: office?.isActive ? office : undefined };
  const content = render(sender, request);
  if (!content) return sent({ id, ...notDoable("no_words") });
  const isLimited =
    (ofCall?.count ?? 0) >= limits.inCall ||
    (ofTenant?.count ?? 0) >= limits.fromTenantAnHour ||
    (ofPatient?.count ?? 0) >= limits.aboutPatientADay;
  return sent(await send(id, { sender, content, previous, isLimited }));
}

async function sendReserved(
  ctx: TenantContext,
  { key, callKey, request, signal }: SendRequest,
  id: string,
  { content, previous }: Prepared,
): Promise<Outcome> {
  const message = { to: request.to, key, subject: subjectOf({ callKey, request }) };
  const reserved = await reserveSend(ctx, message, id, previous);
  if (reserved === "limit_reached") return { id, ...tooMany };
  if (reserved === "in_progress") throw inProgress();
  if (reserved !== "reserved") return { id: reserved.messageId, status: "sent", already: true };
  const outcome = outcomeOf(await deliver(ctx, { ...request, messageId: id }, content, signal));
  if (outcome.status === "failed" || outcome.status === "opted_out") await releaseSend(ctx, message);
  return { id, ...outcome };
}

/** Identifies messages that a call sends only once: the state of the visit, and the purpose. */
const subjectOf = ({ callKey, request: { purpose, visit } }: Pick<SendRequest, "callKey" | "request">): string | undefined =>
  visit && callKey && callKey !== "none"
    ? sha256In("sent-subject", callKey, purpose, visit.calendarId, visit.start, String(visit.cancelled ?? false)).slice(0, 12)
    : undefined;

const notDoable = (why: FailureReason) => ({ status: "failed", code: "not_doable", why }) as const;
const tooMany = { status: "failed", code: "too_many_requests" } as const;
const inProgress = () => new AppError("in_progress", "This message is being sent.");
