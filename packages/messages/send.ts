import { AppError, digest, newId } from "@vitaline/core";
import { hoursOf, nextOpening } from "@vitaline/offices";
import { keys, type SentToRow, type TenantContext } from "@vitaline/store";
import { claim, claimOf, giveBack, isAtWork, toldOf } from "./send-once-claim.ts";
import { mayText } from "./contacts.ts";
import { deliver, outcomeOf } from "./deliver.ts";
import { keepForLater } from "./defer.ts";
import { countOfCall, countOfPatient, countOfTenant, hadEnough, limits } from "./limits.ts";
import { isOn } from "./preferences.ts";
import { render, type Content, type Sender } from "./render.ts";
import type { Asked, Sent, Why } from "./request.ts";

type Outcome = Omit<Sent, "channel" | "purpose">;
/** `before`: what its contact was lately sent; `isMuch`: whether its call, or its tenant, has sent as many as may be. */
type Prepared = { sender: Sender; content: Content; before: SentToRow | undefined; isMuch: boolean };

/**
 * Sends a message while the office, else the tenant, is open; otherwise keeps it, sealed, and says when it will go. Each key is sent at
 * most once, and no more than `limits` say. Nothing goes where the tenant does not write in this way, to a contact that has opted out,
 * here or at AWS, or that messages bounced from lately, or where the clinic has no words for it. What became of it stands in the answer,
 * for the audit; AppError `in_progress` while another is at it. One read, or two for one that is kept, and one write unit.
 */
export async function sendMessage(ctx: TenantContext, asked: Asked): Promise<Sent> {
  return attempt(ctx, asked, newId(ctx.clock().getTime()), async (id, prepared) => {
    const { sender, before, isMuch } = prepared;
    const hours = hoursOf(asked.tenant, sender.office);
    const now = ctx.clock();
    if (isMuch || hadEnough(before?.sends ?? [], now.getTime())) return { id, ...tooMany };
    const opening = nextOpening(hours, now);
    if (!opening) return { id, ...not("never_open") };
    if (opening <= now) return sendClaimed(ctx, asked, id, prepared);
    const sendAt = await keepForLater(ctx, asked, id, opening);
    return sendAt === undefined ? { id, ...tooMany } : { id, status: "queued", sendAt, timeZone: hours.timezone };
  });
}

/** The same at whatever hour, as its time was chosen before; `id` is the one that it has in the list of messages. */
export const sendNow = (ctx: TenantContext, asked: Asked, id: string = newId(ctx.clock().getTime())): Promise<Sent> =>
  attempt(ctx, asked, id, (own, prepared) => sendClaimed(ctx, asked, own, prepared));

async function attempt(
  ctx: TenantContext,
  { key, tenant, officeId = "none", callKey = "none", request, about }: Asked,
  id: string,
  send: (id: string, prepared: Prepared) => Promise<Outcome>,
): Promise<Sent> {
  const { channel, purpose, to } = request;
  const sent = (outcome: Outcome): Sent => ({ ...outcome, channel, purpose });
  const [optedOut, before, office, ofCall, ofTenant, ofPatient] = await ctx.store.batchGet([
    keys.optOut(to),
    keys.sentTo(to),
    keys.office(officeId),
    countOfCall(callKey),
    countOfTenant(ctx.clock()),
    countOfPatient(about?.patientId ?? "none", ctx.clock()),
  ]);
  const claimed = claimOf(before, key);
  if (claimed && isAtWork(ctx, claimed)) throw inProgress();
  if (claimed) return sent({ id: claimed.messageId, status: "unknown", code: "message_failed" });
  const subject = subjectOf({ callKey, request });
  const told = toldOf(before, subject);
  if (told) return sent({ id: told.messageId, status: "sent", already: true });
  if (optedOut?.reason === "bounced") return sent({ id, ...not("bounced") });
  if (optedOut) return sent({ id, status: "opted_out", code: "opted_out" });
  if (!isOn(tenant, channel)) return sent({ id, ...not("switched_off") });
  if (channel === "sms" && !mayText(tenant, to)) return sent({ id, ...not("abroad") });
  const sender = { tenant, office: office?.isActive ? office : undefined };
  const content = render(sender, request);
  if (!content) return sent({ id, ...not("no_words") });
  const isMuch =
    (ofCall?.count ?? 0) >= limits.inCall ||
    (ofTenant?.count ?? 0) >= limits.fromTenantAnHour ||
    (ofPatient?.count ?? 0) >= limits.aboutPatientADay;
  return sent(await send(id, { sender, content, before, isMuch }));
}

async function sendClaimed(
  ctx: TenantContext,
  { key, callKey, request, signal }: Asked,
  id: string,
  { content, before }: Prepared,
): Promise<Outcome> {
  const about = { to: request.to, key, subject: subjectOf({ callKey, request }) };
  const claimed = await claim(ctx, about, id, before);
  if (claimed === "enough") return { id, ...tooMany };
  if (claimed === "taken") throw inProgress();
  if (claimed !== "ours") return { id: claimed.messageId, status: "sent", already: true };
  const outcome = outcomeOf(await deliver(ctx, { ...request, messageId: id }, content, signal));
  if (outcome.status === "failed" || outcome.status === "opted_out") await giveBack(ctx, about);
  return { id, ...outcome };
}

/** What a call tells of a visit once, however often it is asked to: the visit as it is, and to what end. */
const subjectOf = ({ callKey, request: { purpose, visit } }: Pick<Asked, "callKey" | "request">): string | undefined =>
  visit && callKey && callKey !== "none"
    ? digest("sent-subject", callKey, purpose, visit.calendarId, visit.start, String(visit.cancelled ?? false)).slice(0, 12)
    : undefined;

const not = (why: Why) => ({ status: "failed", code: "not_doable", why }) as const;
const tooMany = { status: "failed", code: "too_many_requests" } as const;
const inProgress = () => new AppError("in_progress", "This message is being sent.");
