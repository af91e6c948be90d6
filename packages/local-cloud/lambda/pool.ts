import { randomUUID } from "node:crypto";
import type { FunctionSpec } from "../template/functions.ts";
import { startEnvironment, type Environment, type EnvironmentEvents, type Version } from "./environment.ts";

export type Pool = {
  invoke(event: string, invokedArn: string, traceId: string): Promise<Awaited<ReturnType<Environment["run"]>> & { requestId: string }>;
  /** Running invocations finish in the old environments; later ones start new environments. */
  recycle(): Promise<void>;
  close(): Promise<void>;
  size(): number;
};

/** Executions as Lambda counts them: `running` includes those that wait here for an environment. */
export type Usage = { running: number; peak: number; throttled: number };

type PoolParts = { awsUrl: string; events: EnvironmentEvents; usage: Usage };

const idleMs = 60_000;
/** Lambda allows a thousand; here more than a few only cost memory. Further invocations wait. */
const poolLimit = 4;

/** `usage` is that of the function: its versions share its reserved concurrency. */
export function createPool(spec: FunctionSpec, version: Version, { awsUrl, events, usage }: PoolParts): Pool {
  const idle = new Map<Environment, NodeJS.Timeout>();
  const busy = new Set<Environment>();
  const retired = new Set<Environment>();
  // An operator may change the reserved concurrency of a running function
  const reserved = (): number => spec.reservedConcurrency ?? Number.POSITIVE_INFINITY;
  const limit = (): number => Math.min(poolLimit, reserved());
  const waiting: ((environment: Environment) => void)[] = [];

  const takeIdle = (): Environment | undefined => {
    for (const [environment, reaper] of [...idle].reverse()) {
      clearTimeout(reaper);
      idle.delete(environment);
      if (environment.alive()) return environment;
    }
    return undefined;
  };

  const acquire = (): Promise<Environment> => {
    const environment = takeIdle() ?? (busy.size < limit() ? startEnvironment(spec, version, awsUrl, events) : undefined);
    if (!environment) return new Promise((resolve) => waiting.push(resolve));
    busy.add(environment);
    return Promise.resolve(environment);
  };

  const release = (environment: Environment): void => {
    busy.delete(environment);
    if (retired.delete(environment)) void environment.stop();
    else if (environment.alive()) rest(environment);
    const next = waiting.shift();
    if (next) void acquire().then(next);
  };

  const rest = (environment: Environment): void => {
    const reaper = setTimeout(() => {
      idle.delete(environment);
      void environment.stop();
    }, idleMs);
    reaper.unref();
    idle.set(environment, reaper);
  };

  const stopIdle = async (): Promise<void> => {
    const resting = [...idle.keys()];
    for (const reaper of idle.values()) clearTimeout(reaper);
    idle.clear();
    await Promise.all(resting.map((environment) => environment.stop()));
  };

  return {
    async invoke(event, invokedArn, traceId) {
      const requestId = randomUUID();
      if (usage.running >= reserved()) {
        usage.throttled++;
        return { ok: false, reason: "throttled", message: "Rate Exceeded.", requestId, ms: 0 };
      }
      usage.running++;
      usage.peak = Math.max(usage.peak, usage.running);
      try {
        const environment = await acquire();
        try {
          return { ...(await environment.run({ requestId, event, invokedArn, traceId })), requestId };
        } finally {
          release(environment);
        }
      } finally {
        usage.running--;
      }
    },
    async recycle() {
      for (const environment of busy) retired.add(environment);
      await stopIdle();
    },
    async close() {
      await Promise.all([stopIdle(), ...[...busy].map((environment) => environment.stop())]);
    },
    size: () => idle.size + busy.size,
  };
}
