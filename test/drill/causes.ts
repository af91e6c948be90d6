import { defaultToolRunsPerMinute } from "@vitaline/contract";
import { keys } from "@vitaline/store";
import type { AwsOptions } from "../../packages/local-cloud/aws/index.ts";
import type { Platform } from "../../packages/local-cloud/platform.ts";
import { apiOf, tokenFrom } from "../kit/api.ts";
import { openLine, type Line } from "../kit/line.ts";
import { openTable } from "../kit/store/table.ts";
import type { Breakable } from "./breakable.ts";
import type { Timeline } from "./timeline.ts";

export type Spec = Platform["cloud"]["monitoring"]["specs"][number];
export type Scene = {
  platform: Platform;
  dataDir: string;
  breakable: Breakable;
  timeline: Timeline;
  /** Breaks AWS calls until it is called without a hook. */
  fault(hook?: AwsOptions["fault"]): void;
};

/** What makes an alarm start. It is repeated once a period, for as many periods as the alarm evaluates. */
type Cause = {
  words: string;
  /** Not while the others happen: it takes long, or the others would disturb it. */
  alone?: true;
  /** In a minute of its own, as a rate counts every invocation of its minute. */
  apart?: true;
  /** After the others of the same moment: what waits for the clock must not wait for their real time. */
  last?: true;
  happen: (scene: Scene, alarm: Spec) => void | Promise<void>;
};

const functionOf = ({ rule }: Spec): string => rule.metric.dimensions["FunctionName"] ?? "";
const specOf = ({ platform }: Scene, name: string) => platform.cloud.functions.find((spec) => spec.name === name)!;
const named = (scene: Scene, name: string) =>
  specOf(scene, scene.platform.cloud.functions.find((spec) => spec.name.endsWith(`-${name}`))!.name);

const ask = async ({ platform }: Scene, path: string, body?: object, key?: string): Promise<void> => {
  const headers = { "content-type": "application/json", ...(key && { authorization: `Bearer ${key}` }) };
  const json = { method: "POST", headers, body: JSON.stringify(body) };
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

const toolRoute = "/api/vapi/tool-call";

/** A new call of a demo tenant's patient. */
const openCall = ({ platform }: Scene, tenant = 0): Line =>
  openLine(apiOf(platform.origin), platform.demo!.tenants[tenant]!.apiKey, platform.demo!.patients[0]!);

const toolsFailing: Cause = {
  words: "tools could not write to the table",
  async happen(scene) {
    const down = { status: 500, code: "InternalServerError", message: "down" };
    scene.fault(({ operation, principalArn }) => (/Write|Put|Update/.test(operation) && /voice/.test(principalArn) ? down : undefined));
    await openCall(scene).verify();
    scene.fault();
  },
};

const limitedTools: Cause = {
  words: "a tenant's calls ran more tools than it may",
  alone: true,
  async happen(scene) {
    const { origin, demo } = scene.platform;
    const api = apiOf(origin);
    const token = await tokenFrom(api)(demo!.systemAdmin.email, demo!.systemAdmin.password);
    const tenant = demo!.tenants.at(-1)!;
    const { name, contactEmail, organizationType, isActive } = (await api("GET", `/api/admin/tenants/${tenant.id}`, { token })).json;
    const setLimit = (toolRunsPerMinute: number) => {
      const body = { name, contactEmail, organizationType, isActive, policies: { toolRunsPerMinute } };
      return api("PUT", `/api/admin/tenants/${tenant.id}`, { token, body });
    };
    await setLimit(60);
    const call = openCall(scene, demo!.tenants.indexOf(tenant));
    for (let request = 0; request < 150; request++) await call.useTool("getFhirProviders", {});
    await setLimit(defaultToolRunsPerMinute);
  },
};

async function changeAuditRow({ platform, dataDir }: Scene): Promise<void> {
  const table = openTable(dataDir);
  const month = new Date().toISOString().slice(0, 7);
  const [row] = await table.partition(keys.tenantPartitions.audit(platform.demo!.tenants[0]!.id, month, "patient_access"));
  await table.put({ ...row!, action: "changed by the drill" });
  table.close();
  await platform.cloud.drained();
}

const auditChanged: Cause = {
  words: "an audit row was changed in the table",
  happen: changeAuditRow,
};

const auditDamaged: Cause = {
  words: "an audit row was changed, and the archive was verified",
  async happen(scene) {
    await changeAuditRow(scene);
    await scene.platform.cloud.runScheduled(named(scene, "events-verify").name);
  },
};

const refusedKeys: Cause = {
  words: "a hundred requests came with a wrong key",
  alone: true,
  async happen(scene) {
    for (let request = 0; request < 100; request++) await ask(scene, toolRoute, {}, "vtl_live_wrong");
  },
};

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
  "Vitaline/local ToolFailed": toolsFailing,
  "Vitaline/local AuthenticationRefused": refusedKeys,
  "Vitaline/local CanaryFailed": canaryFailing,
  "Vitaline/local ToolRunsLimited": limitedTools,
  "Vitaline/local AuditChanged": auditChanged,
  "Vitaline/local AuditFlaws": auditDamaged,
};

/** For a metric of what does not run on this machine, of what no test can wait for, or with the cause of another alarm. */
const fed: Cause = {
  words: "fed: the metric was given the threshold's value",
  happen: ({ platform }, { rule: { metric, threshold } }) => platform.cloud.monitoring.record({ ...metric, value: threshold }),
};

/** What one version logs is caused once, for all of them. */
export function causeOf({ rule: { metric } }: Spec): Cause {
  if (metric.dimensions["ExecutedVersion"] !== undefined) return failingVersion;
  if (metric.dimensions["functionVersion"] !== undefined) return fed;
  if (metric.dimensions["operation"] === "verify") return silent;
  if (metric.dimensions["GlobalSecondaryIndexName"] !== undefined) return fed;
  return causes[`${metric.namespace} ${metric.name}`] ?? fed;
}
