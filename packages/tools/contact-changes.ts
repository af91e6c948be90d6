import { keys, update, type ContactChangesRow } from "@vitaline/store";
import type { Run } from "./define-tool.ts";
import { hidden } from "./hidden.ts";
import { normalPhone } from "./verifyPatientIdentity/phones.ts";

const dayMs = 86_400_000;
/** So long nobody is sent a code at a contact point that was changed in a call: whoever changed it may not be the patient. */
const untrustedMs = 30 * dayMs;

type Who = { ctx: Pick<Run["ctx"], "tenantId" | "store" | "clock">; providerId: string; patientId: string };

/** The same for every way in which a number or an address is written. */
const plain = (contact: string): string =>
  contact.includes("@") ? contact.normalize("NFKC").toLowerCase().replace(/\s/g, "") : normalPhone(contact) || contact;
const markOf = (tenantId: string, contact: string): string => `c_${hidden("contact-changes", tenantId, [plain(contact)])}`;

const keyOf = ({ ctx, providerId, patientId }: Who) =>
  keys.contactChanges(hidden("contact-changes", ctx.tenantId, [providerId, patientId]));

/** Remembers, before it happens, that phone numbers or email addresses of a patient are changed in a call. One write unit, none without any. */
export async function noteChangedContact(who: Who, contacts: readonly string[]): Promise<void> {
  if (contacts.length === 0) return;
  const { ctx } = who;
  const nowMs = ctx.clock().getTime();
  const marks = Object.fromEntries(contacts.map((contact) => [markOf(ctx.tenantId, contact), nowMs]));
  await ctx.store.note(update<ContactChangesRow>(keyOf(who), { set: { ...marks, expiresAt: Math.ceil((nowMs + untrustedMs) / 1000) } }));
}

/** Whether a contact point of a patient was put on file in a call within the last thirty days: no code may go there. One read. */
export async function wasChangedLately(who: Who, contact: string): Promise<boolean> {
  const row = await who.ctx.store.get<ContactChangesRow>(keyOf(who));
  const changedAtMs = row?.[markOf(who.ctx.tenantId, contact)];
  return changedAtMs !== undefined && who.ctx.clock().getTime() - changedAtMs < untrustedMs;
}
