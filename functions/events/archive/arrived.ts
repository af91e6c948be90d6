import type { Arrived } from "@vitaline/audit";
import type { StreamRecord } from "../project/event.ts";
import { unmarshall } from "../project/unmarshall.ts";

const auditPartition = /^(?:TENANT#([0-9a-z]+)|PLATFORM)#AUDIT#\d{4}-\d\d#[a-z_]+$/;

/** The audit row that a record brings; none where it brings something else, or where a row went that had been kept its time. */
export function arrivedOf({ eventName, dynamodb: { Keys, NewImage } }: StreamRecord, position: string): Arrived[] {
  const partition = auditPartition.exec(Keys.pk.S);
  if (!partition || eventName !== "INSERT" || !NewImage) return [];
  const { pk: _pk, sk: _sk, ...row } = unmarshall(NewImage);
  return [{ position, tenantId: partition[1], row }];
}
