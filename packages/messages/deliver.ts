import { sendMailOnce, sendText, type Delivery } from "@vitaline/aws";
import type { TenantContext } from "@vitaline/store";
import type { Content } from "./render.ts";
import type { MessageRequest, SendResult } from "./request.ts";

/** Hands a message to AWS and logs the result, without content or contact. */
export async function deliver(
  { log, tenantId }: Pick<TenantContext, "log" | "tenantId">,
  { messageId, channel, to, purpose }: Pick<MessageRequest, "channel" | "to" | "purpose"> & { messageId: string },
  { subject, text, attachments }: Content,
  signal?: AbortSignal,
): Promise<Delivery> {
  const ref = { tenantId, messageId };
  const delivery =
    channel === "sms" ? await sendText({ to, text, ref }, signal) : await sendMailOnce({ to, subject, text, ref }, attachments, signal);
  log(delivery.status === "sent" ? "info" : "warn", "message.send", {
    operation: `${channel} ${purpose}`,
    code: delivery.status === "failed" ? delivery.reason : delivery.status,
  });
  return delivery;
}

export const outcomeOf = (delivery: Delivery): Pick<SendResult, "status" | "code" | "providerMessageId"> => {
  switch (delivery.status) {
    case "sent":
      return delivery;
    case "opted_out":
      return { status: "opted_out", code: "opted_out" };
    case "failed":
      return { status: "failed", code: "message_failed" };
    case "unknown":
      return { status: "unknown", code: "message_failed" };
  }
};
