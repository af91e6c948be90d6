import type { OperatorRequestKind, OperatorRequestStatus } from "@vitaline/contract";
import { partitions, tenantPartitions } from "./partitions.ts";
import { entityIn, sharedEntity } from "./entity.ts";

const contactEntity = entityIn("contact");

/** A message from a visitor of the public site, who has no account. */
export type ContactMessageRow = { id: string; at: string; sealed: string; mailedAt?: string };
export const contactMessage = contactEntity<ContactMessageRow, [month: string, id: string]>({
  entity: "contactMessage",
  writeKind: "bookkeeping",
  lifetime: "permanent",
  primaryKey: (month, id) => ({ pk: partitions.contact(month), sk: id }),
});
/** A contact message that has not been mailed to support yet, or `sealed`: a mail to someone who asked, with its recipient. */
export type UnmailedContactRow = { id: string; expiresAt: number } & ({ month: string } | { sealed: string });
export const unmailedContact = contactEntity<UnmailedContactRow, [id: string]>({
  entity: "unmailedContact",
  writeKind: "bookkeeping",
  lifetime: "expires",
  primaryKey: (id) => ({ pk: partitions.unmailedContact, sk: id }),
});

/** What a tenant asked the operators for. `sealed`: who asked, in which words, and the notes to `answers`. */
export type OperatorRequestRow = {
  id: string;
  tenantId: string;
  at: string;
  kind: OperatorRequestKind;
  status: OperatorRequestStatus;
  requesterId: string;
  sealed: string;
  /** `from`: absent of an operator's. */
  answers: { at: string; by: string; status: OperatorRequestStatus; from?: "organization" }[];
  version: number;
};
export const operatorRequest = sharedEntity("contact")<OperatorRequestRow, [id: string]>({
  entity: "operatorRequest",
  writeKind: "audited",
  lifetime: "permanent",
  primaryKey: (tenantId, id) => ({ pk: tenantPartitions.requests(tenantId), sk: id }),
});
/** The same in the list of all tenants; written together. */
export const listedRequest = contactEntity<OperatorRequestRow, [state: "open" | "closed", id: string]>({
  entity: "listedRequest",
  writeKind: "audited",
  lifetime: "permanent",
  primaryKey: (state, id) => ({ pk: partitions.requests(state), sk: id }),
});
