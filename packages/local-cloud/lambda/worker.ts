import { subscribe } from "node:diagnostics_channel";
import type { ClientRequest } from "node:http";
import { enableCompileCache } from "node:module";
import { pathToFileURL } from "node:url";
import { parentPort, workerData } from "node:worker_threads";
import type { InvokeMessage, WorkerMessage, WorkerSetup } from "./protocol.ts";

type Handler = (event: unknown, context: object) => unknown;

const setup = workerData as WorkerSetup;
const port = parentPort;
if (!port) throw new Error("This file runs as a worker thread only.");

const tell = (message: WorkerMessage): void => port.postMessage(message);

let frozen = false;
const reportIfFrozen = (target: () => string): void => {
  if (!frozen) return;
  tell({ kind: "idle-network", target: target() });
  // Stops the thread until it is terminated
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
};
subscribe("http.client.request.start", (message) => {
  const { request } = message as { request: ClientRequest };
  reportIfFrozen(() => `${request.method} ${request.host}`);
});
subscribe("undici:request:create", (message) => {
  const { request } = message as { request: { method: string; origin: string } };
  reportIfFrozen(() => `${request.method} ${request.origin}`);
});

const contextOf = ({ requestId, deadlineMs, invokedArn }: InvokeMessage): object => ({
  awsRequestId: requestId,
  functionName: setup.functionName,
  functionVersion: setup.functionVersion,
  invokedFunctionArn: invokedArn,
  memoryLimitInMB: String(setup.memoryMb),
  logGroupName: `/aws/lambda/${setup.functionName}`,
  logStreamName: "local",
  getRemainingTimeInMillis: () => Math.max(0, deadlineMs - Date.now()),
});

const failure = (error: unknown): WorkerMessage => ({
  kind: "error",
  errorType: error instanceof Error ? error.name : typeof error,
  errorMessage: error instanceof Error ? (error.stack ?? error.message) : String(error),
});

async function invoke(handler: Handler, message: InvokeMessage): Promise<WorkerMessage> {
  try {
    const payload = JSON.stringify((await handler(JSON.parse(message.event), contextOf(message))) ?? null);
    const size = Buffer.byteLength(payload);
    if (size > setup.payloadLimitBytes)
      throw new RangeError(`Response payload size exceeded maximum allowed payload size (${size} bytes).`);
    return { kind: "result", payload };
  } catch (error) {
    return failure(error);
  }
}

enableCompileCache(setup.compileCache);
const module = (await import(pathToFileURL(setup.modulePath).href)) as Record<string, unknown>;
const handler = module[setup.exportName];
if (typeof handler !== "function") throw new Error(`${setup.modulePath} exports no function named ${setup.exportName}.`);

port.on("message", async (message: InvokeMessage) => {
  frozen = false;
  process.env["_X_AMZN_TRACE_ID"] = message.traceId;
  const outcome = await invoke(handler as Handler, message);
  frozen = true;
  tell(outcome);
});
frozen = true;
tell({ kind: "ready" });
