import { sendMail } from "@vitaline/aws";
import { requestKindNames } from "@vitaline/contract";
import { envReader, errorFields } from "@vitaline/core";
import { keys, remove, rowsOf, update, type UnmailedContactRow } from "@vitaline/store";
import type { ScopedContext } from "@vitaline/store/scoped.ts";
import * as z from "zod/mini";
import { unsealFields, type ContactFields } from "./contact-messages.ts";

const environment = envReader(z.object({ SUPPORT_EMAIL: z.optional(z.string()) }));
/** How long unsent mails are retried; messages and requests are kept. */
export const retrySeconds = 7 * 86_400;
const rowsPerPage = 20;
const neededMs = 15_000;

/** Undefined if messages are not mailed but only read in the console. */
export const supportAddress = (): string | undefined => environment().SUPPORT_EMAIL;

/** `rejected`: SES rejects this mail. `unavailable`: SES accepts no mail now. Both are retried. */
type MailResult = "mailed" | "rejected" | "unavailable";

export async function mailMessage(
  ctx: ScopedContext<"contact">,
  { id, month }: { id: string; month: string },
  fields: ContactFields,
): Promise<MailResult> {
  const to = supportAddress();
  if (to === undefined) return "rejected";
  const result = await tryMail(ctx, { to, subject: subjectOf(fields), text: mailText(ctx, fields) });
  if (result !== "mailed") return result;
  // Marked before the retry is removed: a crash in between mails the message at most twice.
  await ctx.platform.writeUnaudited(
    update(keys.contactMessage(month, id), { set: { mailedAt: ctx.clock().toISOString() } }, { exists: true }),
  );
  await ctx.platform.writeUnaudited(remove(keys.unmailedContact(id)));
  return "mailed";
}

export type MailToAsker = { to: string; subject: string; text: string };

/** Mails an answer to who asked. The row is removed only afterwards: a crash in between mails it at most twice. */
export async function mailAnswer(ctx: ScopedContext<"contact">, id: string, mail: MailToAsker): Promise<MailResult> {
  const result = await tryMail(ctx, mail);
  if (result === "mailed") await ctx.platform.writeUnaudited(remove(keys.unmailedContact(id)));
  return result;
}

async function tryMail(ctx: ScopedContext<"contact">, mail: MailToAsker): Promise<MailResult> {
  try {
    await sendMail(mail);
    return "mailed";
  } catch (error) {
    ctx.log("warn", "contactMessage.not_mailed", { entity: "contactMessage", ...errorFields(error) });
    return isRejection(error) ? "rejected" : "unavailable";
  }
}

/** sendMail throws the same AppError for every failure; its cause is the error of SES. */
const isRejection = (error: unknown): boolean =>
  error instanceof Error && error.cause instanceof Error && error.cause.name === "MessageRejected";

const subjectOf = ({ request }: ContactFields): string =>
  request === undefined
    ? "A message from the contact form"
    : `${request.isReply ? "An organization replied to its request" : "A request from an organization"}: ${requestKindNames[request.kind]}`;

const mailText = (
  { origin }: ScopedContext<"contact">,
  { firstName, lastName, email, phone, company, industry, message, request }: ContactFields,
): string =>
  [
    `From: ${firstName} ${lastName} <${email}>`,
    ...(phone ? [`Phone: ${phone}`] : []),
    ...(company ? [`${request ? "Organization" : "Company"}: ${company}`] : []),
    ...(industry ? [`Industry: ${industry}`] : []),
    ...(request ? [`Topic: ${requestKindNames[request.kind]}`] : []),
    "",
    message,
    ...(request
      ? ["", "Sent from the organization's dashboard. Answer in the console, under Requests:", `${origin}/admin?tab=audit#requests`]
      : []),
  ].join("\n");

/** Retries unmailed messages, oldest first, while time remains. Stops if SES accepts no mail; a rejected message does not block others. */
export async function mailUnmailed(ctx: ScopedContext<"contact">): Promise<void> {
  for await (const row of rowsOf<UnmailedContactRow>(ctx.platform, keys.partitions.unmailedContact, { limit: rowsPerPage })) {
    if (ctx.deadline.remainingMs() < neededMs) return;
    if ((await retryMail(ctx, row)) === "unavailable") return;
  }
}

async function retryMail(ctx: ScopedContext<"contact">, row: UnmailedContactRow): Promise<MailResult> {
  if ("sealed" in row) return mailAnswer(ctx, row.id, await unsealFields<MailToAsker>(row.sealed));
  const message = await ctx.platform.get(keys.contactMessage(row.month, row.id));
  if (message && !message.mailedAt) return mailMessage(ctx, row, await unsealFields(message.sealed));
  await ctx.platform.writeUnaudited(remove(keys.unmailedContact(row.id)));
  return "mailed";
}
