import type { StreamedRow } from "@vitaline/audit";
import { rowKindOf } from "./row-kind.ts";
import { positionOf, type StreamRecord, unmarshall } from "./stream-event.ts";

/** The new audit row of a record. None for other rows and for expired audit rows. */
export function readAuditRow({ eventName, dynamodb: { Keys, NewImage, SequenceNumber } }: StreamRecord): StreamedRow[] {
  const kind = rowKindOf(Keys.pk.S, Keys.sk.S);
  if (kind?.entity !== "audit" || eventName !== "INSERT" || !NewImage) return [];
  const { pk: _pk, sk: _sk, ...row } = unmarshall(NewImage);
  return [{ position: positionOf(SequenceNumber), tenantId: kind.tenantId, row }];
}
