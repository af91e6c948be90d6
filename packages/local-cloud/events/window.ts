import type { StreamRecord } from "../aws/index.ts";

export type WindowFields = {
  shardId: string;
  eventSourceARN: string;
  window: { start: string; end: string };
  state: object;
  isFinalInvokeForWindow: boolean;
  isWindowTerminatedEarly: boolean;
};

export type Windows = {
  split(records: StreamRecord[]): StreamRecord[][];
  fieldsFor(record: StreamRecord): WindowFields;
  keep(state: object): void;
  endedBy(nowMs: number): WindowFields | undefined;
  forget(): void;
  endMs(): number | undefined;
};

/** A stream has one shard here, named after the stream's start, so that positions in one stream mean nothing in another. */
export const shardIdOf = (streamArn: string): string => {
  const startedMs = Date.parse(`${streamArn.split("/stream/")[1]}Z`) || 0;
  return `shardId-${String(startedMs).padStart(20, "0")}-00000001`;
};

const instant = (ms: number): string => new Date(ms).toISOString().replace(".000Z", "Z");
const createdMs = (record: StreamRecord): number => record.dynamodb.ApproximateCreationDateTime * 1000;

/**
 * Tumbling windows of one shard. A window that is open when the process ends is not closed later. Source: "Implementing stateful DynamoDB
 * stream processing in Lambda" in the Lambda Developer Guide.
 */
export function createWindows(lengthMs: number, streamArn: string): Windows {
  let open: { startMs: number; state: object } | undefined;
  const startOf = (record: StreamRecord): number => Math.floor(createdMs(record) / lengthMs) * lengthMs;
  const fields = ({ startMs, state }: NonNullable<typeof open>, isFinal: boolean): WindowFields => ({
    shardId: shardIdOf(streamArn),
    eventSourceARN: streamArn,
    window: { start: instant(startMs), end: instant(startMs + lengthMs) },
    state,
    isFinalInvokeForWindow: isFinal,
    isWindowTerminatedEarly: false,
  });
  return {
    split(records) {
      const runs: StreamRecord[][] = [];
      for (const record of records) {
        const run = runs.at(-1);
        if (run?.[0] && startOf(run[0]) === startOf(record)) run.push(record);
        else runs.push([record]);
      }
      return runs;
    },
    fieldsFor(record) {
      if (open?.startMs !== startOf(record)) open = { startMs: startOf(record), state: {} };
      return fields(open, false);
    },
    keep(state) {
      if (open) open.state = state;
    },
    endedBy: (nowMs) => (open && open.startMs + lengthMs <= nowMs ? fields(open, true) : undefined),
    forget() {
      open = undefined;
    },
    endMs: () => open && open.startMs + lengthMs,
  };
}
