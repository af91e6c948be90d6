/** What the worker of a function is told once. */
export type WorkerSetup = {
  modulePath: string;
  exportName: string;
  functionName: string;
  functionArn: string;
  memoryMb: number;
  payloadLimitBytes: number;
};

/** One invocation; `deadlineMs` is the epoch instant at which Lambda would stop it. */
export type InvokeMessage = { requestId: string; event: string; deadlineMs: number; traceId: string };

export type WorkerMessage =
  | { kind: "ready" }
  | { kind: "result"; payload: string }
  | { kind: "error"; errorType: string; errorMessage: string }
  | { kind: "idle-network"; target: string };

/** The largest request and the largest answer of a synchronous invocation, by Lambda's quotas. */
export const payloadLimitBytes = 6 * 1024 * 1024;
