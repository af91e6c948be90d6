import { appendFileSync, mkdirSync } from "node:fs";
import path from "node:path";
import type { StreamRecord } from "../aws/index.ts";
import type { StreamTrigger } from "../template/triggers.ts";

export type FailureQueues = { add(trigger: StreamTrigger, records: StreamRecord[], condition: string): void };

/** Keeps what stream triggers gave up, one JSON line a batch in `queues/<queue>.jsonl`: where it lies in the stream, never its content. */
export function openFailureQueues(dataDir: string | undefined): FailureQueues {
  return {
    add(trigger, records, condition) {
      if (!dataDir || !trigger.failureQueue) return;
      const folder = path.join(dataDir, "queues");
      mkdirSync(folder, { recursive: true });
      const line = {
        requestContext: { functionArn: trigger.functionArn, condition },
        timestamp: new Date().toISOString(),
        DDBStreamBatchInfo: {
          streamArn: trigger.streamArn,
          batchSize: records.length,
          startSequenceNumber: records[0]?.dynamodb.SequenceNumber,
          endSequenceNumber: records.at(-1)?.dynamodb.SequenceNumber,
        },
      };
      appendFileSync(path.join(folder, `${trigger.failureQueue}.jsonl`), `${JSON.stringify(line)}\n`, { mode: 0o600 });
    },
  };
}
