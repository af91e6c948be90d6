import { partitionPatterns } from "@vitaline/store/partitions.ts";

const { platform, tenant } = partitionPatterns();
const [tenants = ""] = tenant.audit.split("*");
const [platformAudit = ""] = platform.platformAudit.split("*");
const ofAudit = (prefix: string, image: "NewImage" | "OldImage") => ({
  Keys: { pk: { S: [{ prefix }] } },
  [image]: { actorKind: { S: [{ exists: true }] } },
});

/** New audit rows, and those that were changed, or deleted before they expired, as filters of the stream: any of them. */
export const auditRecords: readonly Record<string, unknown>[] = [tenants, platformAudit].flatMap((prefix) => [
  { eventName: ["INSERT", "MODIFY"], dynamodb: ofAudit(prefix, "NewImage") },
  { eventName: ["REMOVE"], userIdentity: { principalId: [{ exists: false }] }, dynamodb: ofAudit(prefix, "OldImage") },
]);
