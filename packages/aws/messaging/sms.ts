import { ConflictException, PinpointSMSVoiceV2Client, SendTextMessageCommand } from "@aws-sdk/client-pinpoint-sms-voice-v2";
import { envReader } from "@vitaline/core";
import * as z from "zod/mini";
import type { MessageRef } from "./receipt.ts";
import { sendOnce, type Delivery } from "./send-once.ts";

const environment = envReader(z.object({ SMS_ORIGINATION: z.optional(z.string()), SMS_CONFIGURATION_SET: z.optional(z.string()) }));

let client: PinpointSMSVoiceV2Client | undefined;
/** No retries: a repeated request sends a second text. */
const sms = (): PinpointSMSVoiceV2Client =>
  (client ??= new PinpointSMSVoiceV2Client({ maxAttempts: 1, requestHandler: { connectionTimeout: 1000, requestTimeout: 3000 } }));

/** A text to a number in E.164 form. Texts are unencrypted, so they must not contain patient data. Receipts contain `ref`. */
type Text = { to: string; text: string; ref?: MessageRef };

/**
 * Sends a text at most once: retries only when AWS throttles, and not after `signal`; at most three seconds per attempt. Does not
 * throw for errors of AWS or the network.
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
