import { seal, unseal } from "@vitaline/aws";
import type { ContactForm, ContactMessage } from "@vitaline/contract";
import { allDone } from "@vitaline/core";
import { type ContactMessageRow, keys, type Page } from "@vitaline/store";
import type { PlatformContext } from "@vitaline/store/platform.ts";

const usualLimit = 25;

/** A page of a month's messages, opened, newest first; this month's unless another is named. One query; that they were read is audited. */
export async function listContactMessages(
  ctx: PlatformContext,
  { month = ctx.clock().toISOString().slice(0, 7), limit = usualLimit, cursor }: { month?: string; limit?: number; cursor?: string },
): Promise<Page<ContactMessage>> {
  const { rows, next } = await ctx.platform.query<ContactMessageRow>(keys.partitions.contact(month), { limit, cursor, descending: true });
  const messages = await allDone(rows.map(asContactMessage));
  await ctx.platform.commit([], {
    category: "data_query",
    action: "contactMessage.read",
    resourceType: "ContactMessage",
    detail: { rows: messages.length },
  });
  return { rows: messages, next };
}

const asContactMessage = async ({ id, at, sealed, mailedAt }: ContactMessageRow): Promise<ContactMessage> => {
  const { firstName, lastName, email, phone = null, company = null, industry = null, message } = await openFields(sealed);
  return { id, at, firstName, lastName, email, phone, company, industry, message, mailedAt: mailedAt ?? null };
};

/** What a visitor said, without what only programs fill in. */
export type ContactFields = Omit<ContactForm, "website">;

/** Visitors belong to no tenant. */
const nobody = "platform";

export const sealFields = (fields: ContactFields): Promise<string> => seal("contact", nobody, JSON.stringify(fields));
export const openFields = async (sealed: string): Promise<ContactFields> =>
  JSON.parse(await unseal("contact", nobody, sealed)) as ContactFields;
