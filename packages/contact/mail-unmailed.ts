import { keys, remove, rowsOf, type UnmailedContactRow } from "@vitaline/store";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import { openFields } from "./fields.ts";
import { mailMessage, supportAddress } from "./mail.ts";

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
