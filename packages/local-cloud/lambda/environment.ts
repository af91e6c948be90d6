import { readFileSync } from "node:fs";
import path from "node:path";
import { Worker } from "node:worker_threads";
import { transformSync } from "esbuild";
import type { FunctionSpec } from "../template/functions.ts";
import { payloadLimitBytes, type InvokeMessage, type WorkerMessage, type WorkerSetup } from "./protocol.ts";

export type Outcome =
  | { ok: true; payload: string }
  | { ok: false; reason: "error" | "timeout" | "too-large" | "throttled"; message: string };

export type Version = { version: string; codeDir: string };

/** `ms`: from the handler's start to its end, without the start of the environment. */
type Ran = Outcome & { ms: number };

export type Environment = {
  run(message: Omit<InvokeMessage, "deadlineMs">): Promise<Ran>;
  alive(): boolean;
  stop(): Promise<void>;
};

export type EnvironmentEvents = { onOutput(text: string): void; onIdleNetwork(target: string): void; clock: () => number };

const initSeconds = 10;
/** V8's default is 48 MB, and thirty functions share this process. */
const youngGenerationMb = 8;

let workerUrl: URL | undefined;
/** As JavaScript: otherwise each thread would start Node's TypeScript loader, which takes longer than all the rest of its start. */
function workerCode(): URL {
  if (!workerUrl) {
    const { code } = transformSync(readFileSync(new URL("./worker.ts", import.meta.url), "utf8"), { loader: "ts", format: "esm" });
    workerUrl = new URL(`data:text/javascript;base64,${Buffer.from(code).toString("base64")}`);
  }
  return workerUrl;
}

/** The worker does not inherit this process's environment. */
const reservedEnv = (spec: FunctionSpec, { version, codeDir }: Version, awsUrl: string): Record<string, string> => ({
  AWS_REGION: spec.region,
  AWS_DEFAULT_REGION: spec.region,
  AWS_LAMBDA_FUNCTION_NAME: spec.name,
  AWS_LAMBDA_FUNCTION_VERSION: version,
  AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(spec.memoryMb),
  AWS_LAMBDA_INITIALIZATION_TYPE: "on-demand",
  AWS_EXECUTION_ENV: "AWS_Lambda_nodejs24.x",
  AWS_ACCESS_KEY_ID: spec.accessKeyId,
  AWS_SECRET_ACCESS_KEY: spec.secretAccessKey,
  AWS_ENDPOINT_URL: awsUrl,
  _HANDLER: `${spec.module}.${spec.exportName}`,
  LAMBDA_TASK_ROOT: codeDir,
  LANG: "en_US.UTF-8",
  TZ: ":UTC",
});

export function startEnvironment(spec: FunctionSpec, version: Version, awsUrl: string, events: EnvironmentEvents): Environment {
  const setup: WorkerSetup = {
    modulePath: path.join(version.codeDir, `${spec.module}.mjs`),
    exportName: spec.exportName,
    functionName: spec.name,
    functionVersion: version.version,
    memoryMb: spec.memoryMb,
    payloadLimitBytes,
    compileCache: path.join(path.dirname(version.codeDir), "compile-cache"),
  };
  const worker = new Worker(workerCode(), {
    name: spec.name,
    workerData: setup,
    env: { ...spec.env, ...reservedEnv(spec, version, awsUrl) },
    resourceLimits: { maxOldGenerationSizeMb: spec.memoryMb, maxYoungGenerationSizeMb: youngGenerationMb },
    execArgv: [],
    stdout: true,
    stderr: true,
  });
  worker.stdout.on("data", (chunk: Buffer) => events.onOutput(chunk.toString()));
  worker.stderr.on("data", (chunk: Buffer) => events.onOutput(chunk.toString()));

  let living = true;
  let settle: ((outcome: Outcome) => void) | undefined;
  const finish = (outcome: Outcome): void => {
    settle?.(outcome);
    settle = undefined;
  };
  const die = (message: string): void => {
    living = false;
    finish({ ok: false, reason: "error", message });
  };

  // In Lambda such a request would hang until the next invocation or be lost, so it is blocked here
  const frozen = (target: string): void => {
    events.onIdleNetwork(target);
    die(`The function used the network with no invocation in flight (${target}).`);
    void worker.terminate();
  };

  const ready = Promise.withResolvers<void>();
  worker.on("message", (message: WorkerMessage) => {
    if (message.kind === "ready") ready.resolve();
    else if (message.kind === "idle-network") frozen(message.target);
    else if (message.kind === "result") finish({ ok: true, payload: message.payload });
    else finish({ ok: false, reason: "error", message: message.errorMessage });
  });
  worker.on("error", (error) => die(error instanceof Error ? (error.stack ?? error.message) : String(error)));
  worker.on("exit", (code) => die(`Runtime exited with code ${code}.`));

  const stop = async (): Promise<void> => {
    living = false;
    await worker.terminate();
  };

  return {
    alive: () => living,
    stop,
    run(message) {
      const outcome = Promise.withResolvers<Outcome>();
      settle = outcome.resolve;
      let startedMs: number | undefined;
      let timer: NodeJS.Timeout | undefined;
      const limit = (seconds: number): void => {
        timer = setTimeout(() => {
          finish({ ok: false, reason: "timeout", message: `Task timed out after ${seconds} seconds.` });
          void stop();
        }, seconds * 1000);
      };
      limit(initSeconds);
      void ready.promise.then(() => {
        clearTimeout(timer);
        if (!settle) return;
        limit(spec.timeoutSeconds);
        startedMs = events.clock();
        worker.postMessage({ ...message, deadlineMs: Date.now() + spec.timeoutSeconds * 1000 } satisfies InvokeMessage);
      });
      return outcome.promise
        .then((ended) => ({ ...ended, ms: startedMs === undefined ? 0 : events.clock() - startedMs }))
        .finally(() => clearTimeout(timer));
    },
  };
}
