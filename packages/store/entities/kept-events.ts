import type { KeptEventSource } from "@vitaline/contract";
import { partitions, tenantPartitions } from "./partitions.ts";
import { platformEntity, tenantEntity } from "./entity.ts";

/**
 * An event that could not be processed, as JSON. `body`: plain text, of the table's own stream; it names a patient at most by id.
 * Events of voice platforms are sealed: gzipped in `sealed`, or in the files bucket when too large for a row; row and file expire
 * after thirty days. Records of the table's stream have no `expiresAt`; their `id` is shard#position.
 */
export type KeptEventContentRow = {
  id: string;
  at: string;
  from: KeptEventSource;
  reason: string;
  /** The call of a platform's event, if known. */
  callKey?: string;
  body?: string;
  sealed?: string;
  file?: { key: string; bytes: number; sha256: string };
  expiresAt?: number;
};
export const keptEventContent = tenantEntity<KeptEventContentRow, [id: string]>({
  entity: "keptEventContent",
  writeKind: "bookkeeping",
  lifetime: "may expire",
  primaryKey: (tenantId, id) => ({ pk: tenantPartitions.keptEventContent(tenantId), sk: id }),
});
export const platformKeptEventContent = platformEntity<KeptEventContentRow, [id: string]>({
  entity: "platformKeptEventContent",
  writeKind: "bookkeeping",
  lifetime: "may expire",
  primaryKey: (id) => ({ pk: partitions.platformKeptEventContent, sk: id }),
});

/** A kept event in the list, without its content. `nextTryAt` is absent after the last automatic retry. */
export type KeptEventRow = {
  id: string;
  tenantId?: string;
  /** Of the content, where it is another one. */
  contentId?: string;
  from: KeptEventSource;
  /** Of the last attempt. */
  reason: string;
  at: string;
  bytes: number;
  tries: number;
  nextTryAt?: string;
  /** Same as the event's. */
  expiresAt?: number;
};
/** Over all tenants, by time of the event. */
export const keptEvent = tenantEntity<KeptEventRow, [id: string]>({
  entity: "keptEvent",
  writeKind: "bookkeeping",
  lifetime: "may expire",
  isOutsideTenantPartition: true,
  primaryKey: (_tenantId, id) => ({ pk: partitions.keptEvents, sk: id }),
});
export const platformKeptEvent = platformEntity<KeptEventRow, [id: string]>({
  entity: "platformKeptEvent",
  writeKind: "bookkeeping",
  lifetime: "may expire",
  primaryKey: (id) => ({ pk: partitions.keptEvents, sk: `${id}~` }),
});
