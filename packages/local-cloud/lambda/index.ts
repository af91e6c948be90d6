import { randomBytes } from "node:crypto";
import type { FunctionSpec } from "../template/functions.ts";
import type { Outcome } from "./environment.ts";
import type { Logs } from "./logs.ts";
import { createPool, type Pool, type Usage } from "./pool.ts";
import { payloadLimitBytes } from "./protocol.ts";

/** A function used the network between invocations, when Lambda freezes it. */
type Violation = { functionName: string; target: string };

type Invoked = Outcome & { requestId: string };

export type Lambda = {
  /** Rejects an event over 6 MB, as Lambda does. */
  invoke(functionArn: string, event: unknown, traceId?: string): Promise<Invoked>;
  violations: Violation[];
  environments(): Record<string, number>;
  usage(functionName: string): Usage;
  recycle(): Promise<void>;
  close(): Promise<void>;
};

/** Format of X-Ray. The SDK sends it with every call, which ties costs to a request. */
export const newTraceId = (): string => `Root=1-${Math.floor(Date.now() / 1000).toString(16)}-${randomBytes(12).toString("hex")}`;

export function startLambda(specs: FunctionSpec[], { awsUrl, logs }: { awsUrl: string; logs: Logs }): Lambda {
  const violations: Violation[] = [];
  const pools = new Map<string, { name: string; pool: Pool }>(
    specs.map((spec) => {
      const pool = createPool(spec, awsUrl, {
        onOutput: (text) => logs.write(spec.name, text),
        onIdleNetwork(target) {
          const violation = { functionName: spec.name, target };
          violations.push(violation);
          logs.write(spec.name, `error: used the network with no invocation in flight: ${target}\n`);
        },
      });
      return [spec.arn, { name: spec.name, pool }];
    }),
  );
  let closed = false;

  return {
    violations,
    async invoke(functionArn, event, traceId = newTraceId()) {
      const found = pools.get(functionArn);
      if (!found || closed)
        return {
          ok: false,
          reason: "error",
          message: closed ? "The platform is stopping." : `There is no function ${functionArn}.`,
          requestId: "",
        };
      const payload = JSON.stringify(event);
      const size = Buffer.byteLength(payload);
      if (size > payloadLimitBytes)
        return { ok: false, reason: "too-large", message: `Request of ${size} bytes exceeds 6 MB.`, requestId: "" };
      const outcome = await found.pool.invoke(payload, traceId);
      if (!outcome.ok && outcome.reason !== "throttled" && !closed)
        logs.write(found.name, `${outcome.requestId} ${outcome.reason}: ${outcome.message}\n`);
      return outcome;
    },
    usage(functionName) {
      const found = [...pools.values()].find(({ name }) => name === functionName);
      if (!found) throw new Error(`There is no function ${functionName}.`);
      return found.pool.usage();
    },
    environments: () => Object.fromEntries([...pools.values()].map(({ name, pool }) => [name, pool.size()])),
    recycle: async () => void (await Promise.all([...pools.values()].map(({ pool }) => pool.recycle()))),
    async close() {
      closed = true;
      await Promise.all([...pools.values()].map(({ pool }) => pool.close()));
    },
  };
}
