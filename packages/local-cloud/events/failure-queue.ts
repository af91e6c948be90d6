import { randomUUID } from "node:crypto";
import { appendFileSync, mkdirSync, readFileSync } from "node:fs";
import path from "node:path";
import type { StreamRecord } from "../aws/index.ts";
import type { StreamTrigger } from "../template/triggers.ts";
import { shardIdOf } from "./window.ts";

type FailedEvent = { id: string; functionArn: string; payload: string; tries: number; condition: string };

export type FailureQueues = {
  /** Only a bucket gets the records themselves. */
  addBatch(trigger: StreamTrigger, records: StreamRecord[], condition: string): Promise<void>;
  /** Stores the whole event, so that it can be sent again. */
  addEvent(queue: string | undefined, event: FailedEvent): void;
  /** Messages that wait in a queue. */
  depth(queue: string): number;
};

type PutObject = (bucket: string, key: string, body: Buffer) => Promise<void>;

/** Appends JSON lines to `queues/<queue>.jsonl`. Without a queue or a folder the event is lost, as in Lambda. */
export function openFailureQueues(dataDir: string | undefined, putObject: PutObject = async () => {}): FailureQueues {
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
    async addBatch(trigger, records, condition) {
      const timestamp = new Date().toISOString();
      const shardId = shardIdOf(trigger.streamArn);
      const record = {
        requestContext: { functionArn: trigger.functionArn, condition },
        timestamp,
        DDBStreamBatchInfo: {
          shardId,
          streamArn: trigger.streamArn,
          batchSize: records.length,
          startSequenceNumber: records[0]?.dynamodb.SequenceNumber,
          endSequenceNumber: records.at(-1)?.dynamodb.SequenceNumber,
        },
      };
      append(trigger.failureQueue, record);
      if (trigger.failureBucket === undefined) return;
      const key = `aws/lambda/${trigger.id}/${shardId}/${timestamp.slice(0, 10).replaceAll("-", "/")}/${timestamp.slice(0, 19).replaceAll(":", ".")}-${randomUUID()}`;
      const payload = JSON.stringify({ Records: records });
      await putObject(trigger.failureBucket, key, Buffer.from(JSON.stringify({ ...record, version: "1.0", payload })));
    },
  };
}
