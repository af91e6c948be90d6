import { type Message, SendEmailCommand, SESv2Client } from "@aws-sdk/client-sesv2";
import { AppError, envReader } from "@vitaline/core";
import * as z from "zod/mini";
import { asUnavailable } from "../unavailable.ts";
import { mailFrom } from "./mail-from.ts";
import type { MessageRef } from "./receipt.ts";
import { type Delivery, sendOnce } from "./send-once.ts";

const MAIL_CONFIGURATION_SET = z.optional(z.string());
const environment = envReader(z.object({ MAIL_FROM: z.string(), MAIL_CONFIGURATION_SET }));
const maybeEnvironment = envReader(z.object({ MAIL_CONFIGURATION_SET }));

let client: SESv2Client | undefined;
const ses = (): SESv2Client =>
  (client ??= new SESv2Client({ maxAttempts: 3, requestHandler: { connectionTimeout: 1000, requestTimeout: 3000 } }));

/** Only the operator can resolve these; to the sender SES is unavailable. */
const sendingDisabled = new Set([
  "AccountSuspendedException",
  "LimitExceededException",
  "MailFromDomainNotVerifiedException",
  "MessageRejected",
  "SendingPausedException",
]);

let onceClient: SESv2Client | undefined;
/** No retries: SES has no idempotency, so a repeated request sends a second mail. */
const sesOnce = (): SESv2Client =>
  (onceClient ??= new SESv2Client({ maxAttempts: 1, requestHandler: { connectionTimeout: 1000, requestTimeout: 3000 } }));

/** A plain-text mail to one address. Subject and text must not contain patient data. Receipts contain `ref`. */
export type Mail = { to: string; subject: string; text: string; ref?: MessageRef };
/** `contentType`: a MIME type with its parameters. */
export type Attachment = { fileName: string; contentType: string; content: string };

const utf8 = (Data: string) => ({ Data, Charset: "UTF-8" });
const simple = ({ subject, text }: Mail): Message => ({ Subject: utf8(subject), Body: { Text: utf8(text) } });
/** With a configuration set SES publishes receipts, which contain the tags. */
const tracking = (ConfigurationSetName: string | undefined, ref?: MessageRef) => ({
  ...(ConfigurationSetName ? { ConfigurationSetName } : {}),
  ...(ref ? { EmailTags: Object.entries(ref).map(([Name, Value]) => ({ Name, Value })) } : {}),
});

/**
 * Sends a mail at most once: retries only when SES throttles, and not after `signal`; at most three seconds per attempt. Does not
 * throw for errors of SES or the network.
 * Source: "SendEmail" in the Amazon SES API v2 reference.
 */
export async function sendMailOnce(mail: Mail, attachments: readonly Attachment[] = [], signal?: AbortSignal): Promise<Delivery> {
  const FromEmailAddress = mailFrom();
  if (!FromEmailAddress) return { status: "failed", reason: "not_set_up" };
  const Attachments = attachments.map(({ fileName, contentType, content }) => ({
    FileName: fileName,
    ContentType: contentType,
    ContentDisposition: "ATTACHMENT" as const,
    ContentTransferEncoding: "BASE64" as const,
    RawContent: Buffer.from(content),
  }));
  const command = new SendEmailCommand({
    FromEmailAddress,
    Destination: { ToAddresses: [mail.to] },
    Content: { Simple: { ...simple(mail), ...(Attachments.length > 0 ? { Attachments } : {}) } },
    ...tracking(maybeEnvironment().MAIL_CONFIGURATION_SET, mail.ref),
  });
  return sendOnce(async () => (await sesOnce().send(command, { abortSignal: signal })).MessageId, undefined, signal);
}

/**
 * Sends a mail: three attempts, at most ten seconds. AppError `unavailable`. A lost response may cause a second mail, because SES
 * has no idempotency.
 */
export async function sendMail(mail: Mail): Promise<void> {
  const { MAIL_FROM: FromEmailAddress, MAIL_CONFIGURATION_SET: set } = environment();
  const command = new SendEmailCommand({
    FromEmailAddress,
    Destination: { ToAddresses: [mail.to] },
    Content: { Simple: simple(mail) },
    ...tracking(set, mail.ref),
  });
  await ses()
    .send(command)
    .catch((error: unknown) => {
      if (error instanceof Error && sendingDisabled.has(error.name))
        throw new AppError("unavailable", "Mail cannot be sent at the moment. Please try again later.", { cause: error });
      throw asUnavailable(error);
    });
}
