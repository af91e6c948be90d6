import { errorFields } from "@vitaline/core";
import { type ContactChangesRow, countWithin, keys, update } from "@vitaline/store";
import type { Run } from "../sdk/run.ts";
import { hidden } from "../sdk/keyed-hash.ts";
import { normalPhone } from "../speech/spoken-digits.ts";

const dayMs = 86_400_000;
/** So long nobody is sent a code at a contact point that was changed in a call: whoever changed it may not be the patient. */
const untrustedMs = 30 * dayMs;

/** No message goes to a contact point for this time after it was changed in a call: longer than any call. */
const heldMs = 2 * 3_600_000;
/** Changes of phone or email that one patient may make in a day; more are a sign of text message fraud. */
const mostADay = 3;

type Who = { ctx: Pick<Run["ctx"], "tenantId" | "store" | "clock" | "log">; providerId: string; patientId: string };

/** The same for every way in which a number or an address is written. */
const plain = (contact: string): string =>
  contact.includes("@") ? contact.normalize("NFKC").toLowerCase().replace(/\s/g, "") : normalPhone(contact) || contact;
const markOf = (tenantId: string, contact: string): string => `c_${hidden("contact-changes", tenantId, [plain(contact)])}`;

const keyOf = ({ ctx, providerId, patientId }: Who) =>
  keys.contactChanges(hidden("contact-changes", ctx.tenantId, [providerId, patientId]));

const marked = ({ ctx }: Who, contacts: readonly string[], nowMs: number) => ({
  ...Object.fromEntries(contacts.map((contact) => [markOf(ctx.tenantId, contact), nowMs])),
  expiresAt: Math.ceil((nowMs + untrustedMs) / 1000),
});
const dayOf = (ctx: Who["ctx"]): string => `day_${ctx.clock().toISOString().slice(0, 10)}`;

/** Remembers, before it happens, that phone numbers or email addresses of a patient are changed in a call. One write unit, none without any. */
export async function noteChangedContact(who: Who, contacts: readonly string[]): Promise<void> {
  if (contacts.length === 0) return;
  await who.ctx.store.note(update<ContactChangesRow>(keyOf(who), { set: marked(who, contacts, who.ctx.clock().getTime()) }));
}

/** The same, as one more change of the day; false when there were as many as there may be. One write unit, none without any. */
export async function countContactChange(who: Who, contacts: readonly string[]): Promise<boolean> {
  if (contacts.length === 0) return true;
  const { expiresAt, ...set } = marked(who, contacts, who.ctx.clock().getTime());
  return (await countWithin(who.ctx.store, keyOf(who), { limits: { [dayOf(who.ctx)]: mostADay }, set, expiresAt })) !== undefined;
}

/** Takes the count back after a change that was not made. */
export async function giveBackContactChange(who: Who, contacts: readonly string[]): Promise<void> {
  if (contacts.length === 0) return;
  await who.ctx.store
    .note(update<ContactChangesRow>(keyOf(who), { add: { [dayOf(who.ctx)]: -1 } }, { exists: true }))
    // A count that stays too high is no reason to fail.
    .catch((error: unknown) => who.ctx.log("warn", "tool.contact_change_kept", errorFields(error)));
}

const wasChangedWithin = async (who: Who, contact: string, ms: number): Promise<boolean> => {
  const row = await who.ctx.store.get<ContactChangesRow>(keyOf(who));
  const changedAtMs = row?.[markOf(who.ctx.tenantId, contact)];
  return changedAtMs !== undefined && who.ctx.clock().getTime() - changedAtMs < ms;
};

/** Whether a contact point of a patient was put on file in a call within the last thirty days: no code may go there. One read. */
export const wasChangedLately = (who: Who, contact: string): Promise<boolean> => wasChangedWithin(who, contact, untrustedMs);

/** Whether it was put there in this call or shortly before: nothing may go there yet. One read. */
export const wasChangedJustNow = (who: Who, contact: string): Promise<boolean> => wasChangedWithin(who, contact, heldMs);
