import type { StreamedRow } from "@vitaline/audit";
import { parseJson } from "@vitaline/core";
import * as z from "zod/mini";
import { rowKindOf } from "./row-kind.ts";
import { positionOf, StreamEvent, type StreamRecord, unmarshall } from "./stream-event.ts";

/** The new audit row of a record. None for other rows and for expired audit rows. */
export function readAuditRow({ eventName, dynamodb: { Keys, NewImage, SequenceNumber } }: StreamRecord): StreamedRow[] {
  const kind = rowKindOf(Keys.pk.S, Keys.sk.S);
  if (kind?.entity !== "audit" || eventName !== "INSERT" || !NewImage) return [];
  const { pk: _pk, sk: _sk, ...row } = unmarshall(NewImage);
  return [{ position: positionOf(SequenceNumber), tenantId: kind.tenantId, row }];
}

/** What Lambda stores of a batch that it gave up. Source: "Retain discarded batch records" in the Lambda Developer Guide. */
const InvocationRecord = z.object({ DDBStreamBatchInfo: z.object({ shardId: z.string() }), payload: z.string() });

/** The audit rows of a batch that Lambda gave up and stored in a bucket. */
export function lostRows(record: string): StreamedRow[] {
  const { DDBStreamBatchInfo, payload } = z.parse(InvocationRecord, parseJson(record));
  const event = z.parse(StreamEvent, { shardId: DDBStreamBatchInfo.shardId, ...z.parse(z.looseObject({}), parseJson(payload)) });
  return event.Records.flatMap(readAuditRow);
}
