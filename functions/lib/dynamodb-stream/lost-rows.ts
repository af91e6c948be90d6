import type { StreamedRow } from "@vitaline/audit";
import { parseJson } from "@vitaline/core";
import * as z from "zod/mini";
import { StreamEvent } from "./stream-event.ts";
import { readAuditRow } from "./read-audit-row.ts";

/** What Lambda stores of a batch that it gave up. Source: "Retain discarded batch records" in the Lambda Developer Guide. */
const InvocationRecord = z.object({ DDBStreamBatchInfo: z.object({ shardId: z.string() }), payload: z.string() });

/** The audit rows of a batch that Lambda gave up and stored in a bucket. */
export function lostRows(record: string): StreamedRow[] {
  const { DDBStreamBatchInfo, payload } = z.parse(InvocationRecord, parseJson(record));
  const event = z.parse(StreamEvent, { shardId: DDBStreamBatchInfo.shardId, ...z.parse(z.looseObject({}), parseJson(payload)) });
  return event.Records.flatMap(readAuditRow);
}
