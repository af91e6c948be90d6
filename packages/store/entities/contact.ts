import { partitions } from "./partitions.ts";
import { entityIn } from "./entity.ts";

const contactEntity = entityIn("contact");

/** A message from a visitor of the public site, who has no account. */
export type ContactMessageRow = { id: string; at: string; sealed: string; mailedAt?: string };
export const contactMessage = contactEntity<ContactMessageRow, [month: string, id: string]>({
  entity: "contactMessage",
  writes: "bookkeeping",
  lifetime: "permanent",
  at: (month, id) => ({ pk: partitions.contact(month), sk: id }),
});
/** A contact message that has not been mailed to support yet. */
export type UnmailedContactRow = { id: string; month: string; expiresAt: number };
export const unmailedContact = contactEntity<UnmailedContactRow, [id: string]>({
  entity: "unmailedContact",
  writes: "bookkeeping",
  lifetime: "expires",
  at: (id) => ({ pk: partitions.unmailedContact, sk: id }),
});
