import { keys } from "@vitaline/store";

/** A row whose changes count, by its key. */
export type Source = { entity: "call" | "audit"; tenantId: string } | { entity: "user" | "tenant" };

const callPartition = /^TENANT#([0-9a-z]+)#CALL#[0-9a-f]+$/;
const auditPartition = /^TENANT#([0-9a-z]+)#AUDIT#\d{4}-\d\d#[a-z_]+$/;

/** undefined: a row that nothing is counted from. */
export function sourceOf(pk: string, sk: string): Source | undefined {
  if (pk === keys.partitions.userDirectory) return sk.startsWith("~") ? undefined : { entity: "user" };
  if (pk === keys.partitions.tenantDirectory) return sk.includes("#") ? undefined : { entity: "tenant" };
  const [, caller] = sk === "CALL" ? (callPartition.exec(pk) ?? []) : [];
  if (caller !== undefined) return { entity: "call", tenantId: caller };
  const [, audited] = auditPartition.exec(pk) ?? [];
  return audited === undefined ? undefined : { entity: "audit", tenantId: audited };
}
