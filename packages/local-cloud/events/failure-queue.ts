import { appendFileSync, mkdirSync, readFileSync } from "node:fs";
import path from "node:path";
import type { StreamRecord } from "../aws/index.ts";
import type { StreamTrigger } from "../template/triggers.ts";

type FailedEvent = { id: string; functionArn: string; payload: string; tries: number; condition: string };

export type FailureQueues = {
  addBatch(trigger: StreamTrigger, records: StreamRecord[], condition: string): void;
  /** Stores the whole event, so that it can be sent again. */
  addEvent(queue: string | undefined, event: FailedEvent): void;
  /** Messages that wait in a queue. */
  depth(queue: string): number;
};

/** Appends JSON lines to `queues/<queue>.jsonl`. Without a queue or a folder the event is lost, as in Lambda. */
export function openFailureQueues(dataDir: string | undefined): FailureQueues {
  const append = (queue: string | undefined, line: object): void => {
    if (!dataDir || !queue) return;
    const folder = path.join(dataDir, "queues");
    mkdirSync(folder, { recursive: true });
    appendFileSync(path.join(folder, `${queue}.jsonl`), `${JSON.stringify(line)}\n`, { mode: 0o600 });
  };
  return {
    depth(queue) {
      try {
        return readFileSync(path.join(dataDir ?? "", "queues", `${queue}.jsonl`), "utf8")
          .split("\n")
          .filter(Boolean).length;
      } catch {
        return 0;
      }
    },
    addEvent(queue, { id, functionArn, payload, tries, condition }) {
      append(queue, {
        requestContext: { requestId: id, functionArn, condition, approximateInvokeCount: tries },
        timestamp: new Date().toISOString(),
        requestPayload: JSON.parse(payload) as unknown,
      });
    },
    addBatch(trigger, records, condition) {
      append(trigger.failureQueue, {
        requestContext: { functionArn: trigger.functionArn, condition },
        timestamp: new Date().toISOString(),
        DDBStreamBatchInfo: {
          streamArn: trigger.streamArn,
          batchSize: records.length,
          startSequenceNumber: records[0]?.dynamodb.SequenceNumber,
          endSequenceNumber: records.at(-1)?.dynamodb.SequenceNumber,
        },
      });
    },
  };
}
