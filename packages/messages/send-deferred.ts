import { unseal } from "@vitaline/aws";
import type { ErrorCode } from "@vitaline/core";
import { hoursOf, nextOpening } from "@vitaline/offices";
import { type Audit, keys, type TenantContext, type TenantRow } from "@vitaline/store";
import { decodeDeferred, type DeferredMessage, type DeferredRow } from "./defer.ts";
import { messageDetail, type SendResult } from "./request.ts";
import { backoffMs, type ProcessedRow } from "./outgoing.ts";
import { sendNow } from "./send.ts";

/** About two hours. */
const maxTries = 8;

export type PendingMessage = DeferredMessage & { tenant: TenantRow; officeId?: string | undefined };

/**
 * Sends a deferred message if the office is open and `lookAgain`, which checks the appointment, returns no code against it. A
 * message that AWS cannot take now stays for later; one that can no longer be sent is finished and audited. Throws if lookAgain or
 * AWS is unavailable.
 */
export async function sendDeferred(
  ctx: TenantContext,
  row: DeferredRow,
  lookAgain: (waited: PendingMessage) => Promise<ErrorCode | undefined>,
): Promise<ProcessedRow> {
  const { key, officeId, callKey, messageId, channel, purpose } = row;
  const finished = (sent: SendResult): ProcessedRow => ({ over: true, audit: messageAudit("message.send", sent, { callKey, officeId }) });
  const failed = (code: ErrorCode): ProcessedRow => finished({ id: messageId, channel, purpose, status: "failed", code });
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
  return isTemporaryFailure(sent) && tries < maxTries ? { later: new Date(now.getTime() + backoffMs(tries)), tries } : finished(sent);
}

export const isTemporaryFailure = ({ status, code }: SendResult): boolean =>
  status === "failed" && (code === "message_failed" || code === "too_many_requests");

/** The audit row of a message that was sent outside a tool run. */
export const messageAudit = (
  action: "message.send" | "reminder.send",
  sent: SendResult,
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
