import { dayMs, errorFields, awaitAllThenThrow } from "@vitaline/core";
import { type ContactChangesRow, countWithin, keys, update } from "@vitaline/store";
import type { Run } from "../sdk/run.ts";
import { scopedHash, scopedHashes } from "../sdk/keyed-hash.ts";
import { normalizePhone } from "../nlu/digits.ts";

/** No one-time code goes to a contact changed by phone within this time, since the caller may not be the patient. */
const untrustedMs = 30 * dayMs;

/** No message goes to a contact this soon after a change; longer than any call. */
const heldMs = 2 * 3_600_000;
/** More changes a day are a sign of SMS fraud. */
const maxChangesADay = 3;

type ContactOwner = { ctx: Pick<Run["ctx"], "tenantId" | "store" | "clock" | "log">; providerId: string; patientId: string };

const plain = (contact: string): string =>
  contact.includes("@") ? contact.normalize("NFKC").toLowerCase().replace(/\s/g, "") : normalizePhone(contact) || contact;
const contactHash = (tenantId: string, contact: string): string => `c_${scopedHash("contact-changes", tenantId, [plain(contact)])}`;

const keyOf = ({ ctx, providerId, patientId }: ContactOwner) =>
  keys.contactChanges(scopedHash("contact-changes", ctx.tenantId, [providerId, patientId]));

const marked = ({ ctx }: ContactOwner, contacts: readonly string[], nowMs: number) => ({
  ...Object.fromEntries(contacts.map((contact) => [contactHash(ctx.tenantId, contact), nowMs])),
  expiresAt: Math.ceil((nowMs + untrustedMs) / 1000),
});
const dayOf = (ctx: ContactOwner["ctx"]): string => `day_${ctx.clock().toISOString().slice(0, 10)}`;

/** Called before the change is sent. One write unit, none without contacts. */
export async function recordContactChange(who: ContactOwner, contacts: readonly string[]): Promise<void> {
  if (contacts.length === 0) return;
  await who.ctx.store.writeUnaudited(update<ContactChangesRow>(keyOf(who), { set: marked(who, contacts, who.ctx.clock().getTime()) }));
}

/** Also counts the change; false at the daily limit. One write unit, none without contacts. */
export async function countContactChange(who: ContactOwner, contacts: readonly string[]): Promise<boolean> {
  if (contacts.length === 0) return true;
  const { expiresAt, ...set } = marked(who, contacts, who.ctx.clock().getTime());
  return (await countWithin(who.ctx.store, keyOf(who), { limits: { [dayOf(who.ctx)]: maxChangesADay }, set, expiresAt })) !== undefined;
}

export async function uncountContactChange(who: ContactOwner, contacts: readonly string[]): Promise<void> {
  if (contacts.length === 0) return;
  await who.ctx.store
    .writeUnaudited(update<ContactChangesRow>(keyOf(who), { add: { [dayOf(who.ctx)]: -1 } }, { exists: true }))
    // A count that stays too high does no harm.
    .catch((error: unknown) => who.ctx.log("warn", "tool.contact_change_kept", errorFields(error)));
}

const wasChangedWithin = async (who: ContactOwner, contact: string, ms: number): Promise<boolean> => {
  const { ctx, providerId, patientId } = who;
  const owners = scopedHashes("contact-changes", ctx.tenantId, [providerId, patientId]);
  const contacts = scopedHashes("contact-changes", ctx.tenantId, [plain(contact)]).map((hash) => `c_${hash}`);
  // Rows of before a rotation of the key are under the former hash.
  const rows: (ContactChangesRow | undefined)[] = await awaitAllThenThrow(
    owners.map((owner) => ctx.store.get<ContactChangesRow>(keys.contactChanges(owner))),
  );
  const changedAtMs = rows.flatMap((row) => contacts.flatMap((name) => row?.[name] ?? []));
  return changedAtMs.some((at) => ctx.clock().getTime() - at < ms);
};

/** Within thirty days: no one-time code may go there. One read. */
export const wasChangedRecently = (who: ContactOwner, contact: string): Promise<boolean> => wasChangedWithin(who, contact, untrustedMs);

/** Within two hours: no message may go there. One read. */
export const isHeldAfterChange = (who: ContactOwner, contact: string): Promise<boolean> => wasChangedWithin(who, contact, heldMs);
