import { abandonedAfterMs, keys, put, type SentToRow, type TenantContext } from "@vitaline/store";
import { hadEnough, limits } from "./limits.ts";

/** Longer than anybody asks for the same message again. */
const keptSeconds = 30 * 86_400;
/** More than there can be messages to one contact at once. */
const maxRounds = 20;

type Send = SentToRow["sends"][number];
type About = { to: string; key: string; subject?: string | undefined };

/** As much of a key as tells it from the others; of what is short already, the same. */
export const shortOf = (key: string): string => key.slice(0, 20);
/** The send of a message, if somebody has claimed it. */
export const claimOf = (row: SentToRow | undefined, key: string): Send | undefined => row?.sends.find((send) => send.key === shortOf(key));

/** What has told the same of the same visit in the same call, if `subject` stands for that. */
export const toldOf = (row: SentToRow | undefined, subject: string | undefined): Send | undefined =>
  row?.sends.find((send) => subject !== undefined && send.subject === subject);

/**
 * Takes the right to send a message, by putting it to what its contact was sent, as it was `read`; one write unit. "taken" when it was
 * before, the other send when that tells the same, "enough" when the contact has had as many as may be. It is taken before the message leaves and given back only where it surely
 * has not left: a process that dies in between has perhaps sent it, and then nobody sends it again. Patients rather miss a message than
 * get it twice.
 */
export async function claim(
  ctx: TenantContext,
  { to, key, subject }: About,
  messageId: string,
  read: SentToRow | undefined,
): Promise<"ours" | "taken" | "enough" | Send> {
  let row = read;
  for (let round = 0; round < maxRounds; round++) {
    const atMs = ctx.clock().getTime();
    const claimed = claimOf(row, key);
    // Also ours when the first try went through and only its answer was lost.
    if (claimed) return claimed.messageId === messageId ? "ours" : "taken";
    const told = toldOf(row, subject);
    if (told) return told;
    const sends = row?.sends ?? [];
    if (hadEnough(sends, atMs)) return "enough";
    if (
      await replace(
        ctx,
        to,
        row,
        [...sends, { key: shortOf(key), messageId, atMs, ...(subject ? { subject } : {}) }].slice(-limits.toContactADay),
      )
    )
      return "ours";
    row = await ctx.store.get<SentToRow>(keys.sentTo(to));
  }
  return "taken";
}

/** Gives the right back, for whoever asks for the same message again. */
export async function giveBack(ctx: TenantContext, { to, key }: About): Promise<void> {
  for (let round = 0; round < maxRounds; round++) {
    const row = await ctx.store.get<SentToRow>(keys.sentTo(to));
    if (!claimOf(row, key)) return;
    const others = row?.sends.filter((send) => send.key !== shortOf(key)) ?? [];
    if (await replace(ctx, to, row, others)) return;
  }
}

/** Whether whoever has claimed it may still be at it. */
export const isAtWork = (ctx: TenantContext, { atMs }: Send): boolean => ctx.clock().getTime() - atMs < abandonedAfterMs;

/** False when another writer has changed it since it was read. */
async function replace(ctx: TenantContext, to: string, read: SentToRow | undefined, sends: Send[]): Promise<boolean> {
  const expiresAt = Math.floor(ctx.clock().getTime() / 1000) + keptSeconds;
  const row: SentToRow = { sends, version: (read?.version ?? 0) + 1, expiresAt };
  const asRead = read ? { equals: { version: read.version } } : { exists: false };
  return (await ctx.store.note(put(keys.sentTo(to), row, asRead))) !== undefined;
}
