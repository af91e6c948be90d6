import { sendMail } from "@vitaline/aws";
import { envReader, errorFields } from "@vitaline/core";
import { keys, remove, rowsOf, update, type UnmailedContactRow } from "@vitaline/store";
import type { ContactContext } from "@vitaline/store/scoped.ts";
import * as z from "zod/mini";
import { unsealFields, type ContactFields } from "./contact-messages.ts";

const environment = envReader(z.object({ SUPPORT_EMAIL: z.optional(z.string()) }));
const rowsPerPage = 20;
const neededMs = 15_000;

/** Undefined if messages are not mailed but only read in the console. */
export const supportAddress = (): string | undefined => environment().SUPPORT_EMAIL;

/** `rejected`: SES rejects this mail. `unavailable`: SES accepts no mail now. Both are retried. */
type MailResult = "mailed" | "rejected" | "unavailable";

export async function mailMessage(
  ctx: ContactContext,
  { id, month }: { id: string; month: string },
  fields: ContactFields,
): Promise<MailResult> {
  const to = supportAddress();
  if (to === undefined) return "unavailable";
  try {
    await sendMail({ to, subject: "A message from the contact form", text: mailText(fields) });
  } catch (error) {
    ctx.log("warn", "contactMessage.not_mailed", { entity: "contactMessage", ...errorFields(error) });
    return isRejection(error) ? "rejected" : "unavailable";
  }
  // Marked before the retry is removed: a crash in between mails the message at most twice.
  await ctx.platform.writeUnaudited(
    update(keys.contactMessage(month, id), { set: { mailedAt: ctx.clock().toISOString() } }, { exists: true }),
  );
  await ctx.platform.writeUnaudited(remove(keys.unmailedContact(id)));
  return "mailed";
}

/** sendMail throws the same AppError for every failure; its cause is the error of SES. */
const isRejection = (error: unknown): boolean =>
  error instanceof Error && error.cause instanceof Error && error.cause.name === "MessageRejected";

const mailText = ({ firstName, lastName, email, phone, company, industry, message }: ContactFields): string =>
  [
    `From: ${firstName} ${lastName} <${email}>`,
    ...(phone ? [`Phone: ${phone}`] : []),
    ...(company ? [`Company: ${company}`] : []),
    ...(industry ? [`Industry: ${industry}`] : []),
    "",
    message,
  ].join("\n");

/** Retries unmailed messages, oldest first, while time remains. Stops if SES accepts no mail; a rejected message does not block others. */
export async function mailUnmailed(ctx: ContactContext): Promise<void> {
  if (supportAddress() === undefined) return;
  for await (const row of rowsOf<UnmailedContactRow>(ctx.platform, keys.partitions.unmailedContact, { limit: rowsPerPage })) {
    if (ctx.deadline.remainingMs() < neededMs) return;
    if ((await retryMail(ctx, row)) === "unavailable") return;
  }
}

async function retryMail(ctx: ContactContext, row: UnmailedContactRow): Promise<MailResult> {
  const message = await ctx.platform.get(keys.contactMessage(row.month, row.id));
  if (message && !message.mailedAt) return mailMessage(ctx, row, await unsealFields(message.sealed));
  await ctx.platform.writeUnaudited(remove(keys.unmailedContact(row.id)));
  return "mailed";
}
