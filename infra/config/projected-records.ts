import { partitionPatterns } from "@vitaline/store/partitions.ts";

const { platform, tenant } = partitionPatterns();
const [tenants = ""] = tenant.audit.split("*");
/** What all partitions of one kind end with, of tenants and of the platform: "#LIVE". */
const ending = (pattern: string) => ({ suffix: pattern.slice(pattern.lastIndexOf("#")) });
const beginning = (pattern: string) => ({ prefix: pattern.slice(0, pattern.indexOf("*")) });

/**
 * The changes of the table that functions/lib/dynamodb-stream/row-kind.ts knows, as filters of the stream: any of them. Totals, runs, the
 * feed and lists of calls in progress, which the projection writes itself, are not among them. Five filters are Lambda's limit. Source:
 * "Control which events Lambda sends to your function" in the Lambda Developer Guide.
 */
export const projectedRecords: readonly Record<string, unknown>[] = [
  { eventName: ["INSERT", "MODIFY"], dynamodb: { Keys: { pk: { S: [{ prefix: tenants }] }, sk: { S: ["CALL"] } } } },
  {
    eventName: ["INSERT"],
    dynamodb: {
      Keys: { pk: { S: [{ prefix: tenants }, beginning(platform.platformAudit)] } },
      NewImage: { actorKind: { S: [{ exists: true }] } },
    },
  },
  {
    eventName: ["REMOVE"],
    userIdentity: { principalId: ["dynamodb.amazonaws.com"] },
    dynamodb: { Keys: { pk: { S: [ending(tenant.live)] } } },
  },
  {
    dynamodb: {
      Keys: {
        pk: { S: [ending(tenant.chain), ending(tenant.webhooks), ending(tenant.config), beginning(platform.fhirConnection)] },
        // Each belongs to one of these partitions, in the same order.
        sk: { S: ["HEAD", { prefix: "WEBHOOK#" }, { prefix: "NOTICES#" }, { prefix: "USEDBY#" }] },
      },
    },
  },
  {
    dynamodb: {
      Keys: {
        pk: {
          S: [
            ending(tenant.deliveries),
            ending(tenant.keptEventContent),
            ending(tenant.tasks),
            ending(tenant.leads),
            platform.fhirProviders,
            platform.voiceHealth,
            beginning(platform.activeUsers),
            platform.userDirectory,
            platform.tenantDirectory,
          ],
        },
      },
    },
  },
];
