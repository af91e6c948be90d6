import { keys } from "@vitaline/store";

/** A row that is projected or archived. Without a tenant it is the platform's. */
export type RowKind =
  | { entity: "call" | "live" | "delivery" | "task" | "lead" | "webhook" | "notices"; tenantId: string }
  | { entity: "fhirProvider" | "fhirHealth"; providerId: string }
  | { entity: "fhirUsedBy"; providerId: string; tenantId: string }
  | { entity: "voiceHealth" }
  | { entity: "audit" | "chain" | "keptEventContent"; tenantId?: string }
  | { entity: "activeUser"; date: string }
  | { entity: "tenant" | "office"; tenantId: string }
  | { entity: "user" };

const { partitions, tenantPartitions } = keys;
const id = "([0-9a-z]+)";
const month = String.raw`\d{4}-\d\d`;
const whole = (...patterns: string[]): RegExp => new RegExp(`^(?:${patterns.join("|")})$`);

const callPartition = whole(tenantPartitions.callItems(id, "[0-9a-f]+"));
const livePartition = whole(tenantPartitions.live(id));
const deliveryPartition = whole(tenantPartitions.deliveries(id));
const taskPartition = whole(tenantPartitions.tasks(id));
const leadPartition = whole(tenantPartitions.leads(id));
const webhookPartition = whole(tenantPartitions.webhooks(id));
const configPartition = whole(tenantPartitions.config(id));
const connectionPartition = whole(partitions.fhirConnection(id));
const usedByKey = new RegExp(`^USEDBY#${id}#`);
const fhirProviderKey = new RegExp(`^${id}(#HEALTH)?$`);
const auditPartition = whole(partitions.platformAudit(month, "[a-z_]+"), tenantPartitions.audit(id, month, "[a-z_]+"));
const chainPartition = whole(partitions.platformChain, tenantPartitions.chain(id));
const keptEventPartition = whole(partitions.platformKeptEventContent, tenantPartitions.keptEventContent(id));
const activePartition = whole(partitions.activeUsers(String.raw`(${month}-\d\d)`));

/** undefined for all other rows. */
export function rowKindOf(pk: string, sk: string): RowKind | undefined {
  if (pk === partitions.userDirectory) return sk.startsWith("~") ? undefined : { entity: "user" };
  if (pk === partitions.tenantDirectory) {
    const [tenantId = "", ofTenant] = sk.split("#");
    return { entity: ofTenant === undefined ? "tenant" : "office", tenantId };
  }
  const [, callTenant] = sk === "CALL" ? (callPartition.exec(pk) ?? []) : [];
  if (callTenant !== undefined) return { entity: "call", tenantId: callTenant };
  const [, liveTenant] = livePartition.exec(pk) ?? [];
  if (liveTenant !== undefined) return { entity: "live", tenantId: liveTenant };
  const [, deliveryTenant] = deliveryPartition.exec(pk) ?? [];
  if (deliveryTenant !== undefined) return { entity: "delivery", tenantId: deliveryTenant };
  const [, taskTenant] = taskPartition.exec(pk) ?? [];
  if (taskTenant !== undefined) return { entity: "task", tenantId: taskTenant };
  const [, leadTenant] = leadPartition.exec(pk) ?? [];
  if (leadTenant !== undefined) return { entity: "lead", tenantId: leadTenant };
  const [, webhookTenant] = sk.startsWith("WEBHOOK#") ? (webhookPartition.exec(pk) ?? []) : [];
  if (webhookTenant !== undefined) return { entity: "webhook", tenantId: webhookTenant };
  const [, noticesTenant] = sk.startsWith("NOTICES#") ? (configPartition.exec(pk) ?? []) : [];
  if (noticesTenant !== undefined) return { entity: "notices", tenantId: noticesTenant };
  if (pk === partitions.voiceHealth) return { entity: "voiceHealth" };
  const [, providerId, health] = pk === partitions.fhirProviders ? (fhirProviderKey.exec(sk) ?? []) : [];
  if (providerId !== undefined) return { entity: health ? "fhirHealth" : "fhirProvider", providerId };
  const [, connectionId] = connectionPartition.exec(pk) ?? [];
  const [, usingTenant] = connectionId === undefined ? [] : (usedByKey.exec(sk) ?? []);
  if (connectionId !== undefined && usingTenant !== undefined)
    return { entity: "fhirUsedBy", providerId: connectionId, tenantId: usingTenant };
  const audit = auditPartition.exec(pk);
  if (audit) return { entity: "audit", tenantId: audit[1] };
  const chain = sk === "HEAD" ? chainPartition.exec(pk) : null;
  if (chain) return { entity: "chain", tenantId: chain[1] };
  const keptEvent = keptEventPartition.exec(pk);
  if (keptEvent) return { entity: "keptEventContent", tenantId: keptEvent[1] };
  const [, date] = activePartition.exec(pk) ?? [];
  return date === undefined ? undefined : { entity: "activeUser", date };
}
