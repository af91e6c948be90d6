import { type Cause, functionOf, named, type Scene, specOf, type Spec } from "./scene.ts";
import { productCauseOf } from "./product-causes.ts";

const ask = async ({ platform }: Scene, path: string, body?: object): Promise<void> => {
  const json = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
  const answer = await fetch(`${platform.origin}${path}`, body && json);
  await answer.arrayBuffer();
};

const failing: Cause = {
  words: "an invocation failed",
  happen: (scene, alarm) =>
    scene.breakable.whileBroken(functionOf(alarm), async () => {
      const [, qualifier] = (alarm.rule.metric.dimensions["Resource"] ?? "").split(":");
      const { arn } = specOf(scene, functionOf(alarm));
      await scene.platform.cloud.lambda.invoke(qualifier ? `${arn}:${qualifier}` : arn, {});
    }),
};

const failingVersion: Cause = { ...failing, apart: true };

const throttled: Cause = {
  words: "an invocation found no concurrency left",
  async happen(scene, alarm) {
    const spec = specOf(scene, functionOf(alarm));
    const { reservedConcurrency } = spec;
    spec.reservedConcurrency = 0;
    await scene.platform.cloud.lambda.invoke(spec.arn, {});
    spec.reservedConcurrency = reservedConcurrency;
  },
};

const slow: Cause = {
  words: "invocations took nine tenths of the timeout",
  last: true,
  async happen(scene, alarm) {
    const spec = specOf(scene, functionOf(alarm));
    const hold = scene.breakable.held();
    const ended = scene.platform.cloud.lambda.invoke(spec.arn, hold.event);
    await Promise.race([hold.started(), ended]);
    scene.timeline.after(spec.timeoutSeconds * 900, async () => {
      hold.release();
      await ended;
    });
  },
};

const longestWaitMs = 31 * 60_000;

const behind: Cause = {
  words: "a row waited for the function",
  alone: true,
  async happen(scene, alarm) {
    const spec = specOf(scene, functionOf(alarm));
    spec.reservedConcurrency = 0;
    await ask(scene, "/api/auth/login", { email: "nobody@vitaline.example", password: "not the password" });
    scene.timeline.after(longestWaitMs, () => void (spec.reservedConcurrency = undefined));
    scene.timeline.after(longestWaitMs + 1, () => scene.platform.cloud.drained());
  },
};

const serverErrors: Cause = {
  words: "the function behind a public route failed",
  happen: (scene) =>
    scene.breakable.whileBroken(named(scene, "site").name, async () => {
      for (let request = 0; request < 6; request++) await ask(scene, "/api/public/health");
    }),
};

const givenUp: Cause = {
  words: "the receipt of a mail could not be recorded",
  happen: (scene) =>
    scene.breakable.whileBroken(named(scene, "events-receipts").name, async () => {
      await ask(scene, "/api/auth/forgot-password", { email: scene.platform.demo!.systemAdmin.email });
      await scene.platform.cloud.drained();
    }),
};

const slowDown = { status: 400, code: "ProvisionedThroughputExceededException", message: "slow down" };

const tableThrottled = (operation: RegExp): Cause => ({
  words: "the table refused a request",
  async happen(scene) {
    let left = 1;
    scene.fault((call) => (call.service === "dynamodb" && operation.test(call.operation) && left-- > 0 ? slowDown : undefined));
    await ask(scene, "/api/auth/login", { email: "nobody@vitaline.example", password: "not the password" });
    scene.fault();
  },
});

const canaryFailing: Cause = {
  words: "the public health route failed",
  happen: (scene) =>
    scene.breakable.whileBroken(named(scene, "site").name, () => scene.platform.cloud.runScheduled(named(scene, "events-canary").name)),
};

const silent: Cause = { words: "its schedule stopped", happen: () => undefined };

/** By namespace and metric. */
const causes: Record<string, Cause> = {
  "AWS/Lambda Errors": failing,
  "AWS/Lambda Throttles": throttled,
  "AWS/Lambda Duration": slow,
  "AWS/Lambda IteratorAge": behind,
  "AWS/ApiGateway 5xx": serverErrors,
  "AWS/CloudFront 5xxErrorRate": serverErrors,
  "AWS/SQS ApproximateNumberOfMessagesVisible": givenUp,
  "AWS/Lambda Invocations": silent,
  "AWS/Events Invocations": silent,
  "AWS/DynamoDB ReadThrottleEvents": tableThrottled(/^(GetItem|Query|BatchGetItem|TransactGetItems)$/),
  "AWS/DynamoDB WriteThrottleEvents": tableThrottled(/^(PutItem|UpdateItem|TransactWriteItems)$/),
  "Vitaline/local CanaryFailed": canaryFailing,
};

/** For a metric that only AWS records. */
const fed: Cause = {
  words: "fed: the metric was given the threshold's value",
  happen: ({ platform }, { rule: { metric, threshold } }) => platform.cloud.monitoring.record({ ...metric, value: threshold }),
};

export function causeOf(alarm: Spec): Cause {
  const { metric } = alarm.rule;
  if (metric.dimensions["ExecutedVersion"] !== undefined) return failingVersion;
  if (metric.dimensions["operation"] === "verify") return silent;
  if (metric.dimensions["GlobalSecondaryIndexName"] !== undefined) return fed;
  return causes[`${metric.namespace} ${metric.name}`] ?? productCauseOf(alarm) ?? fed;
}
