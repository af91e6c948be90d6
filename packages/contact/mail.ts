import { sendMail } from "@vitaline/aws";
import { envReader, errorFields } from "@vitaline/core";
import { keys, remove, rowsOf, type UnmailedContactRow, update } from "@vitaline/store";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import * as z from "zod/mini";
import { type ContactFields, openFields } from "./contact-messages.ts";

const perPage = 20;
const neededMs = 15_000;

/**
 * Tries again to mail what could not be mailed when it came, oldest first, as long as there is time. One that SES rejects keeps
 * none of the others from going; when SES takes no mail at all, the rest waits for the next run.
 */
export async function mailUnmailed(ctx: PlatformContext): Promise<void> {
  if (supportAddress() === undefined) return;
  for await (const row of rowsOf<UnmailedContactRow>(ctx.platform, keys.partitions.unmailedContact, { limit: perPage })) {
    if (ctx.deadline.remainingMs() < neededMs) return;
    if ((await mailRow(ctx, row)) === "unavailable") return;
  }
}

async function mailRow(ctx: PlatformContext, row: UnmailedContactRow) {
  const message = await ctx.platform.get(keys.contactMessage(row.month, row.id));
  if (message && !message.mailedAt) return mailMessage(ctx, row, await openFields(message.sealed));
  await ctx.platform.note(remove(keys.unmailedContact(row.id)));
  return "mailed";
}

const environment = envReader(z.object({ SUPPORT_EMAIL: z.optional(z.string()) }));

/** Whom messages are mailed to; undefined: nobody, they are read in the console alone. */
export const supportAddress = (): string | undefined => environment().SUPPORT_EMAIL;

/** `rejected`: SES takes mail, but not this one. `unavailable`: it takes none now. Both are still due. */
type Mailed = "mailed" | "rejected" | "unavailable";

/** Mails a stored message to support and notes that it went. */
export async function mailMessage(
  ctx: PlatformContext,
  { id, month }: { id: string; month: string },
  fields: ContactFields,
): Promise<Mailed> {
  const to = supportAddress();
  if (to === undefined) return "unavailable";
  try {
    await sendMail({ to, subject: "A message from the contact form", text: textOf(fields) });
  } catch (error) {
    ctx.log("warn", "contact message not mailed", { entity: "contactMessage", ...errorFields(error) });
    return isRejection(error) ? "rejected" : "unavailable";
  }
  // Marked first: a crash in between mails it twice at worst, and never leaves one that went unmarked for good
  await ctx.platform.note(update(keys.contactMessage(month, id), { set: { mailedAt: ctx.clock().toISOString() } }, { exists: true }));
  await ctx.platform.note(remove(keys.unmailedContact(id)));
  return "mailed";
}

/** sendMail makes one AppError of all that keeps a mail from going; what SES said is its cause. */
const isRejection = (error: unknown): boolean =>
  error instanceof Error && error.cause instanceof Error && error.cause.name === "MessageRejected";

const textOf = ({ firstName, lastName, email, phone, company, industry, message }: ContactFields): string =>
  [
    `From: ${firstName} ${lastName} <${email}>`,
    ...(phone ? [`Phone: ${phone}`] : []),
    ...(company ? [`Company: ${company}`] : []),
    ...(industry ? [`Industry: ${industry}`] : []),
    "",
    message,
  ].join("\n");
