import { keys } from "@vitaline/store";

/** A row whose changes count, by its key. */
export type Source =
  | { entity: "call" | "live" | "delivery"; tenantId: string }
  /** Without a tenant: the platform's own. */
  | { entity: "audit" | "chain" | "inbox"; tenantId?: string }
  | { entity: "activeUser"; date: string }
  | { entity: "user" | "tenant" };

const callPartition = /^TENANT#([0-9a-z]+)#CALL#[0-9a-f]+$/;
const livePartition = /^TENANT#([0-9a-z]+)#LIVE$/;
const deliveryPartition = /^TENANT#([0-9a-z]+)#DELIVERIES$/;
const auditPartition = /^(?:PLATFORM|TENANT#([0-9a-z]+))#AUDIT#\d{4}-\d\d#[a-z_]+$/;
const chainPartition = /^(?:PLATFORM|TENANT#([0-9a-z]+))#CHAIN$/;
const inboxPartition = /^(?:PLATFORM|TENANT#([0-9a-z]+))#INBOX$/;
const activePartition = /^PLATFORM#ACTIVE#(\d{4}-\d\d-\d\d)$/;

/** undefined: a row that nothing is counted from. */
export function sourceOf(pk: string, sk: string): Source | undefined {
  if (pk === keys.partitions.userDirectory) return sk.startsWith("~") ? undefined : { entity: "user" };
  if (pk === keys.partitions.tenantDirectory) return sk.includes("#") ? undefined : { entity: "tenant" };
  const [, caller] = sk === "CALL" ? (callPartition.exec(pk) ?? []) : [];
  if (caller !== undefined) return { entity: "call", tenantId: caller };
  const [, living] = livePartition.exec(pk) ?? [];
  if (living !== undefined) return { entity: "live", tenantId: living };
  const [, delivering] = deliveryPartition.exec(pk) ?? [];
  if (delivering !== undefined) return { entity: "delivery", tenantId: delivering };
  const audit = auditPartition.exec(pk);
  if (audit) return { entity: "audit", tenantId: audit[1] };
  const chain = sk === "HEAD" ? chainPartition.exec(pk) : null;
  if (chain) return { entity: "chain", tenantId: chain[1] };
  const inbox = inboxPartition.exec(pk);
  if (inbox) return { entity: "inbox", tenantId: inbox[1] };
  const [, date] = activePartition.exec(pk) ?? [];
  return date === undefined ? undefined : { entity: "activeUser", date };
}
