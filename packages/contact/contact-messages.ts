import { seal, unseal } from "@vitaline/aws";
import type { ContactForm, ContactMessage, OperatorRequestKind } from "@vitaline/contract";
import { awaitAllThenThrow } from "@vitaline/core";
import { keys, type ContactMessageRow, type Page } from "@vitaline/store";
import type { ContactContext } from "@vitaline/store/scoped.ts";

const pageSize = 25;

/** The form without its honeypot field. `request`: what an organization asks for, or adds to, from its dashboard. */
export type ContactFields = Omit<ContactForm, "website"> & { request?: { kind: OperatorRequestKind; isReply: boolean } };

/** A page of a month's messages (default: this month), newest first; audited. One Query. */
export async function listContactMessages(
  ctx: ContactContext,
  { month = ctx.clock().toISOString().slice(0, 7), limit = pageSize, cursor }: { month?: string; limit?: number; cursor?: string },
): Promise<Page<ContactMessage>> {
  const { rows, next } = await ctx.platform.query<ContactMessageRow>(keys.partitions.contact(month), { limit, cursor, descending: true });
  const messages = await awaitAllThenThrow(rows.map(toContactMessage));
  await ctx.platform.commit([], {
    category: "data_query",
    action: "contactMessage.read",
    resourceType: "ContactMessage",
    detail: { rows: messages.length },
  });
  return { rows: messages, next };
}

const toContactMessage = async ({ id, at, sealed, mailedAt }: ContactMessageRow): Promise<ContactMessage> => {
  const { firstName, lastName, email, phone = null, company = null, industry = null, message } = await unsealFields(sealed);
  return { id, at, firstName, lastName, email, phone, company, industry, message, mailedAt: mailedAt ?? null };
};

/** Visitors do not belong to a tenant. */
const sealOwner = "platform";

export const sealFields = <Fields extends object = ContactFields>(fields: Fields): Promise<string> =>
  seal("contact", sealOwner, JSON.stringify(fields));
export const unsealFields = async <Fields extends object = ContactFields>(sealed: string): Promise<Fields> =>
  JSON.parse(await unseal("contact", sealOwner, sealed)) as Fields;
