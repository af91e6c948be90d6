import { unseal } from "@vitaline/aws";
import type { ErrorCode } from "@vitaline/core";
import { hoursOf, nextOpening } from "@vitaline/offices";
import { type Audit, keys, type TenantContext, type TenantRow } from "@vitaline/store";
import { type Kept, unpacked, type Waiting } from "./defer.ts";
import { type Attended, waitMs } from "./schedule.ts";
import { messageDetail, type Sent } from "./request.ts";
import { sendNow } from "./send.ts";

/** Whatever could not be sent, or looked up, so often is given up: after about two hours. */
const maxTries = 8;

/** What is known of a message that waited, for whoever looks whether it may still go. */
export type Waited = Waiting & { tenant: TenantRow; officeId?: string | undefined };

/**
 * Sends what was kept, if the doors are open now and nothing has happened meanwhile that speaks against it: `lookAgain` says what, by a
 * code. What AWS cannot take at the moment stays for later; whatever will not go ends, with its account. Throws what lookAgain and AWS
 * throw while they cannot be asked.
 */
export async function sendKept(
  ctx: TenantContext,
  row: Kept,
  lookAgain: (waited: Waited) => Promise<ErrorCode | undefined>,
): Promise<Attended> {
  const { key, officeId, callKey, messageId, channel, purpose } = row;
  const ended = (sent: Sent): Attended => ({ over: true, audit: sentAudit("message.send", sent, { callKey, officeId }) });
  const failed = (code: ErrorCode): Attended => ended({ id: messageId, channel, purpose, status: "failed", code });
  const tenant = await ctx.store.get(keys.tenantConfig());
  if (!tenant?.isActive) return failed("not_doable");
  if ((row.tries ?? 0) >= maxTries) return failed("message_failed");
  const { request, about } = unpacked(await unseal("phi", ctx.tenantId, row.sealed), row);
  const office = officeId ? await ctx.store.get(keys.office(officeId)) : undefined;
  const now = ctx.clock();
  const opening = nextOpening(hoursOf(tenant, office?.isActive ? office : undefined), now);
  if (!opening) return failed("not_doable");
  if (request.visit && opening.getTime() >= Date.parse(request.visit.start)) return failed("deadline_exceeded");
  if (opening > now) return { later: opening };
  const against = await lookAgain({ request, about, tenant, officeId });
  if (against) return failed(against);
  const sent = await sendNow(ctx, { key, tenant, officeId, callKey, request }, messageId);
  const tries = (row.tries ?? 0) + 1;
  return isPassing(sent) && tries < maxTries ? { later: new Date(now.getTime() + waitMs(tries)), tries } : ended(sent);
}

/** Whether it may go another time. */
export const isPassing = ({ status, code }: Sent): boolean =>
  status === "failed" && (code === "message_failed" || code === "too_many_requests");

/** What the audit says of a message that left without a call. */
export const sentAudit = (
  action: "message.send" | "reminder.send",
  sent: Sent,
  {
    callKey,
    officeId,
    patientId,
    fhirProviderId,
  }: Partial<Record<"callKey" | "officeId" | "patientId" | "fhirProviderId", string | undefined>>,
): Audit => ({
  category: "patient_access",
  action,
  resourceType: patientId ? "Patient" : "Message",
  resourceId: patientId ?? sent.id,
  success: sent.code === undefined,
  code: sent.code,
  callKey,
  detail: { ...messageDetail(sent), ...(officeId ? { officeId } : {}), ...(fhirProviderId ? { fhirProviderId } : {}) },
});
