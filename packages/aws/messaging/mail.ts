import { type Message, SendEmailCommand, SESv2Client } from "@aws-sdk/client-sesv2";
import { AppError, envReader } from "@vitaline/core";
import * as z from "zod/mini";
import { asUnavailable } from "../unavailable.ts";
import type { MessageRef } from "./receipt.ts";
import { type Delivery, sendOnce } from "./send-once.ts";

const MAIL_CONFIGURATION_SET = z.optional(z.string());
const environment = envReader(z.object({ MAIL_FROM: z.string(), MAIL_CONFIGURATION_SET }));
const maybeEnvironment = envReader(z.object({ MAIL_FROM: z.optional(z.string()), MAIL_CONFIGURATION_SET }));

let client: SESv2Client | undefined;
const ses = (): SESv2Client =>
  (client ??= new SESv2Client({ maxAttempts: 3, requestHandler: { connectionTimeout: 1000, requestTimeout: 3000 } }));

/** The operator has to lift these; to whoever sends they are the same as an SES that is down. */
const closed = new Set([
  "AccountSuspendedException",
  "LimitExceededException",
  "MailFromDomainNotVerifiedException",
  "MessageRejected",
  "SendingPausedException",
]);

let onceClient: SESv2Client | undefined;
/** One try each: SES sends a repeated mail again. */
const sesOnce = (): SESv2Client =>
  (onceClient ??= new SESv2Client({ maxAttempts: 1, requestHandler: { connectionTimeout: 1000, requestTimeout: 3000 } }));

/** One mail to one address. The subject is one line, the text plain; neither may hold patient data. `ref` comes back in its receipts. */
export type Mail = { to: string; subject: string; text: string; ref?: MessageRef };
/** A small file that goes with a mail; `contentType` as in MIME, with its parameters. */
export type Attachment = { fileName: string; contentType: string; content: string };

const utf8 = (Data: string) => ({ Data, Charset: "UTF-8" });
const simple = ({ subject, text }: Mail): Message => ({ Subject: utf8(subject), Body: { Text: utf8(text) } });
/** Under this set SES says what became of a mail, and says the tags with it. */
const told = (ConfigurationSetName: string | undefined, ref?: MessageRef) => ({
  ...(ConfigurationSetName ? { ConfigurationSetName } : {}),
  ...(ref ? { EmailTags: Object.entries(ref).map(([Name, Value]) => ({ Name, Value })) } : {}),
});

/** The address that mail comes from; undefined where this stage sends none. */
export const mailFrom = (): string | undefined => maybeEnvironment().MAIL_FROM || undefined;

/**
 * Hands a mail with its attachments to SES, at most three seconds a try, and tries again only where SES says that it was too much at
 * once and not after `signal`: it is sent at most once. Never throws for what SES or the network does.
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
    ...told(maybeEnvironment().MAIL_CONFIGURATION_SET, mail.ref),
  });
  return sendOnce(async () => (await sesOnce().send(command, { abortSignal: signal })).MessageId, undefined, signal);
}

/**
 * Hands a mail to SES: three tries, at most ten seconds. AppError `unavailable` when it could not be handed over.
 * SES knows no repetition, so a try whose answer was lost may send twice.
 */
export async function sendMail(mail: Mail): Promise<void> {
  const { MAIL_FROM: FromEmailAddress, MAIL_CONFIGURATION_SET: set } = environment();
  const command = new SendEmailCommand({
    FromEmailAddress,
    Destination: { ToAddresses: [mail.to] },
    Content: { Simple: simple(mail) },
    ...told(set, mail.ref),
  });
  await ses()
    .send(command)
    .catch((error: unknown) => {
      if (error instanceof Error && closed.has(error.name))
        throw new AppError("unavailable", "Mail cannot be sent at the moment. Please try again later.", { cause: error });
      throw asUnavailable(error);
    });
}
