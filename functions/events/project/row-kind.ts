import { keys } from "@vitaline/store";

/** A row that the projection reads. Without a tenant it is the platform's. */
export type RowKind =
  | { entity: "call" | "live" | "delivery"; tenantId: string }
  | { entity: "audit" | "chain" | "keptEventContent"; tenantId?: string }
  | { entity: "activeUser"; date: string }
  | { entity: "user" | "tenant" };

const callPartition = /^TENANT#([0-9a-z]+)#CALL#[0-9a-f]+$/;
const livePartition = /^TENANT#([0-9a-z]+)#LIVE$/;
const deliveryPartition = /^TENANT#([0-9a-z]+)#DELIVERIES$/;
const auditPartition = /^(?:PLATFORM|TENANT#([0-9a-z]+))#AUDIT#\d{4}-\d\d#[a-z_]+$/;
const chainPartition = /^(?:PLATFORM|TENANT#([0-9a-z]+))#CHAIN$/;
const keptEventPartition = /^(?:PLATFORM|TENANT#([0-9a-z]+))#INBOX$/;
const activePartition = /^PLATFORM#ACTIVE#(\d{4}-\d\d-\d\d)$/;

/** undefined: the projection ignores this row. */
export function rowKindOf(pk: string, sk: string): RowKind | undefined {
  if (pk === keys.partitions.userDirectory) return sk.startsWith("~") ? undefined : { entity: "user" };
  if (pk === keys.partitions.tenantDirectory) return sk.includes("#") ? undefined : { entity: "tenant" };
  const [, callTenant] = sk === "CALL" ? (callPartition.exec(pk) ?? []) : [];
  if (callTenant !== undefined) return { entity: "call", tenantId: callTenant };
  const [, liveTenant] = livePartition.exec(pk) ?? [];
  if (liveTenant !== undefined) return { entity: "live", tenantId: liveTenant };
  const [, deliveryTenant] = deliveryPartition.exec(pk) ?? [];
  if (deliveryTenant !== undefined) return { entity: "delivery", tenantId: deliveryTenant };
  const audit = auditPartition.exec(pk);
  if (audit) return { entity: "audit", tenantId: audit[1] };
  const chain = sk === "HEAD" ? chainPartition.exec(pk) : null;
  if (chain) return { entity: "chain", tenantId: chain[1] };
  const keptEvent = keptEventPartition.exec(pk);
  if (keptEvent) return { entity: "keptEventContent", tenantId: keptEvent[1] };
  const [, date] = activePartition.exec(pk) ?? [];
  return date === undefined ? undefined : { entity: "activeUser", date };
}
