import { ConflictException, PinpointSMSVoiceV2Client, SendTextMessageCommand } from "@aws-sdk/client-pinpoint-sms-voice-v2";
import { envReader } from "@vitaline/core";
import * as z from "zod/mini";
import type { MessageRef } from "./receipt.ts";
import { sendOnce, type Delivery } from "./send-once.ts";

const environment = envReader(z.object({ SMS_ORIGINATION: z.optional(z.string()), SMS_CONFIGURATION_SET: z.optional(z.string()) }));

let client: PinpointSMSVoiceV2Client | undefined;
/** One try each: AWS sends a repeated text again. */
const sms = (): PinpointSMSVoiceV2Client =>
  (client ??= new PinpointSMSVoiceV2Client({ maxAttempts: 1, requestHandler: { connectionTimeout: 1000, requestTimeout: 3000 } }));

/** One text to one number in E.164 form. Texts leave AWS unencrypted: no patient data. `ref` comes back in its receipts. */
type Text = { to: string; text: string; ref?: MessageRef };

/**
 * Hands a text to AWS End User Messaging, at most three seconds a try; tried again only where AWS says that it was too much at once,
 * and not after `signal`. Never throws for what AWS or the network does.
 * Source: "SendTextMessage" in the AWS End User Messaging SMS and voice v2 API reference.
 */
export async function sendText({ to, text, ref }: Text, signal?: AbortSignal): Promise<Delivery> {
  const { SMS_ORIGINATION: OriginationIdentity, SMS_CONFIGURATION_SET: ConfigurationSetName } = environment();
  if (!OriginationIdentity) return { status: "failed", reason: "not_set_up" };
  const command = new SendTextMessageCommand({
    DestinationPhoneNumber: to,
    OriginationIdentity,
    MessageBody: text,
    MessageType: "TRANSACTIONAL",
    ...(ConfigurationSetName ? { ConfigurationSetName } : {}),
    ...(ref ? { Context: ref } : {}),
  });
  return sendOnce(
    async () => (await sms().send(command, { abortSignal: signal })).MessageId,
    (error) =>
      error instanceof ConflictException && error.Reason === "DESTINATION_PHONE_NUMBER_OPTED_OUT" ? { status: "opted_out" } : undefined,
    signal,
  );
}
