import { sendMail } from "@vitaline/aws";
import { toDoGroups, type ToDoGroup } from "@vitaline/contract";
import { awaitAllThenThrow, errorFields } from "@vitaline/core";
import { allRows, keys, update, type NoticesRow, type TenantContext, type ToDoRow, type UserDirectoryRow } from "@vitaline/store";
import { mayWork } from "../to-do/view.ts";
import { hearsOfEmergencies } from "./settings.ts";
import { isQuiet, nextAt } from "./times.ts";

/** An older emergency is in the list alone: its callers were told whom to call. */
const oldMs = 36 * 3_600_000;

/** A mail may take so long, and what else is due needs its time too. */
const mailMs = 12_000;

/**
 * Mails an emergency to each person who wants to know, once. False while a mail waits for the end of quiet hours or could not be sent:
 * to be called again. Without patient data.
 */
export async function mailEmergency(ctx: TenantContext, toDoId: string): Promise<boolean> {
  const [tenant, item] = await ctx.store.batchGet([keys.tenantConfig(), keys.toDo(toDoId)]);
  const nowMs = ctx.clock().getTime();
  if (!tenant?.isActive || !item || item.doneAt !== undefined || nowMs - Date.parse(item.at) > oldMs) return true;
  const [rows, users] = await awaitAllThenThrow([
    allRows<NoticesRow>(ctx.store, keys.tenantPartitions.config(ctx.tenantId), { prefix: "NOTICES#" }),
    allRows<UserDirectoryRow>(ctx.store, keys.tenantPartitions.users(ctx.tenantId)),
  ]);
  const chosen = new Map(rows.map((row) => [row.userId, row]));
  let waits = false;
  for (const user of users.filter((one) => mayWork(one) && hearsOfEmergencies(one, chosen.get(one.id)) && !item.noticed?.has(one.id))) {
    if (ctx.deadline.remainingMs() < mailMs) return false;
    const row = chosen.get(user.id);
    if (isQuiet(tenant.timeZone, row?.quiet, nowMs)) {
      waits = true;
      continue;
    }
    const where = row
      ? `The call is in your list:\n\n${linkOf(row)}?item=${toDoId}\n`
      : "The call is in your list: sign in and open To do.\n";
    const text = `A caller to ${tenant.name} reported an emergency and was told whom to call.\n\n${where}\nYou can change these emails at the end of that list.\n`;
    try {
      await sendMail({ to: user.email, subject: "An emergency call", text });
      await ctx.store.writeUnaudited(update<ToDoRow>(keys.toDo(toDoId), { add: { noticed: new Set([user.id]) } }, { exists: true }));
    } catch (error) {
      // One address that cannot be mailed must not keep the mail from the others.
      ctx.log("error", "emergency.not_mailed", { ...errorFields(error), userId: user.id });
      waits = true;
    }
  }
  return !waits;
}

const mostCounted = 100;
/** A mail that could not be sent for so long is left out. */
const lateMs = 12 * 3_600_000;
const groupNames: Readonly<Record<ToDoGroup, string>> = {
  emergencies: "Emergencies",
  requests: "Requests and messages",
  bookings: "Bookings",
  callbacks: "Callbacks",
  calls: "Calls",
  connections: "Connections",
};

/** Mails what is open, unless nothing is, and sets the time of the next mail. Does nothing if the person has chosen another time since. */
export async function mailDailyNotice(ctx: TenantContext, userId: string, dueAt: string): Promise<void> {
  const [tenant, row] = await ctx.store.batchGet([keys.tenantConfig(), keys.notices(userId)]);
  if (!tenant || !row?.daily || row.nextDailyAt !== dueAt) return;
  const nowMs = ctx.clock().getTime();
  const isLate = nowMs - Date.parse(dueAt) > lateMs;
  const address = tenant.isActive && !isLate ? await addressOf(ctx, row) : undefined;
  if (address !== undefined) {
    const range = { index: "gsi1", limit: mostCounted } as const;
    const { rows, next } = await ctx.store.query<ToDoRow>(keys.tenantPartitions.openToDo(ctx.tenantId), range);
    if (rows.length > 0)
      await sendMail({
        to: address,
        subject: `To do: ${next ? `more than ${mostCounted}` : rows.length} open`,
        text: digestOf(row, rows, next !== undefined),
      });
  }
  const nextDailyAt = nextAt(tenant.timeZone, row.dailyAt, nowMs).toISOString();
  await ctx.store.writeUnaudited(update<NoticesRow>(keys.notices(userId), { set: { nextDailyAt } }, { equals: { nextDailyAt: dueAt } }));
}

/** `hasMore`: more is open than these items. */
const digestOf = (row: NoticesRow, items: readonly ToDoRow[], hasMore: boolean): string => {
  const counts = Map.groupBy(items, ({ kind }) => toDoGroups[kind]);
  const lines = Object.entries(groupNames).flatMap(([group, name]) => {
    const count = counts.get(group as ToDoGroup)?.length ?? 0;
    return count === 0 ? [] : [`${name}: ${count}`];
  });
  const heading = hasMore ? `The ${items.length} most urgent:\n\n` : "";
  return `${heading}${lines.join("\n")}\n\n${linkOf(row)}\n\nYou can change these emails on the same page.\n`;
};

const linkOf = ({ origin }: NoticesRow): string => `${origin}/tenant/to-do`;

/** Undefined for someone who may not open the list any more. */
const addressOf = async (ctx: TenantContext, { userId }: NoticesRow): Promise<string | undefined> => {
  const user = await ctx.store.get(keys.tenantUser(userId));
  return user && mayWork(user) ? user.email : undefined;
};
