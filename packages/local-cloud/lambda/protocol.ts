export type WorkerSetup = {
  modulePath: string;
  exportName: string;
  functionName: string;
  functionVersion: string;
  memoryMb: number;
  payloadLimitBytes: number;
  /** Folder of the compiled bundles, which later environments load. */
  compileCache: string;
};

export type InvokeMessage = {
  /** With the alias or version that was asked. */
  invokedArn: string;
  requestId: string;
  event: string;
  deadlineMs: number;
  traceId: string;
};

export type WorkerMessage =
  | { kind: "ready" }
  | { kind: "result"; payload: string }
  | { kind: "error"; errorType: string; errorMessage: string }
  | { kind: "idle-network"; target: string };

/** Lambda's quota for synchronous payloads. */
export const payloadLimitBytes = 6 * 1024 * 1024;
