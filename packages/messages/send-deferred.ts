import { unseal } from "@vitaline/aws";
import type { ErrorCode } from "@vitaline/core";
import { hoursOf, nextOpening } from "@vitaline/offices";
import { keys, type Audit, type TenantContext, type TenantRow } from "@vitaline/store";
import { decodeDeferred, type DeferredMessage, type Kept } from "./defer.ts";
import { messageDetail, type Sent } from "./request.ts";
import { waitMs, type Attended } from "./schedule.ts";
import { sendNow } from "./send.ts";

/** About two hours. */
const maxTries = 8;

export type Waited = DeferredMessage & { tenant: TenantRow; officeId?: string | undefined };

/**
 * Sends a deferred message if the office is open and `lookAgain`, which checks the appointment, returns no code against it. A
 * message that AWS cannot take now stays for later; one that can no longer be sent is finished and audited. Throws if lookAgain or
 * AWS is unavailable.
 */
export async function sendKept(
  ctx: TenantContext,
  row: Kept,
  lookAgain: (waited: Waited) => Promise<ErrorCode | undefined>,
): Promise<Attended> {
  const { key, officeId, callKey, messageId, channel, purpose } = row;
  const finished = (sent: Sent): Attended => ({ over: true, audit: sentAudit("message.send", sent, { callKey, officeId }) });
  const failed = (code: ErrorCode): Attended => finished({ id: messageId, channel, purpose, status: "failed", code });
  const tenant = await ctx.store.get(keys.tenantConfig());
  if (!tenant?.isActive) return failed("not_doable");
  if ((row.tries ?? 0) >= maxTries) return failed("message_failed");
  const { request, about } = decodeDeferred(await unseal("phi", ctx.tenantId, row.sealed), row);
  const office = officeId ? await ctx.store.get(keys.office(officeId)) : undefined;
  const now = ctx.clock();
  const opening = nextOpening(hoursOf(tenant, office?.isActive ? office : undefined), now);
  if (!opening) return failed("not_doable");
  if (request.visit && opening.getTime() >= Date.parse(request.visit.start)) return failed("deadline_exceeded");
  if (opening > now) return { later: opening };
  const refusal = await lookAgain({ request, about, tenant, officeId });
  if (refusal) return failed(refusal);
  const sent = await sendNow(ctx, { key, tenant, officeId, callKey, request }, messageId);
  const tries = (row.tries ?? 0) + 1;
  return isPassing(sent) && tries < maxTries ? { later: new Date(now.getTime() + waitMs(tries)), tries } : finished(sent);
}

/** The failure is temporary, so that a retry makes sense. */
export const isPassing = ({ status, code }: Sent): boolean =>
  status === "failed" && (code === "message_failed" || code === "too_many_requests");

/** The audit row of a message that was sent outside a tool run. */
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
