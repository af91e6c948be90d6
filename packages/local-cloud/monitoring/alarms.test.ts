import { expect, test } from "vitest";
import { minuteMs, openMetrics } from "../aws/cloudwatch/index.ts";
import type { ResourceStatement } from "../aws/sns/topic-policy.ts";
import type { AlarmSpec } from "../template/alarms.ts";
import type { TopicSpec } from "../template/topics.ts";
import { runAlarms } from "./alarms.ts";
import { publishAlarm } from "./publish-alarm.ts";

const account = "000000000000";
const topicArn = `arn:aws:sns:us-east-1:${account}:alarms`;
const keyArn = `arn:aws:kms:us-east-1:${account}:key/files`;
const metric = { namespace: "AWS/Lambda", name: "Errors", dimensions: { FunctionName: "voice" } };
const alarm: AlarmSpec = {
  name: "voice-Errors",
  arn: `arn:aws:cloudwatch:us-east-1:${account}:alarm:voice-Errors`,
  account,
  region: "us-east-1",
  description: "voice failed",
  rule: {
    metric,
    statistic: "Sum",
    periodMs: 5 * minuteMs,
    evaluationPeriods: 1,
    datapointsToAlarm: 1,
    threshold: 1,
    comparison: "GreaterThanOrEqualToThreshold",
    missing: "notBreaching",
  },
  actions: { ALARM: [topicArn], OK: [topicArn], INSUFFICIENT_DATA: [] },
};
const byCloudWatch = { Service: "cloudwatch.amazonaws.com" };
const ownAccount = { StringEquals: { "aws:SourceAccount": account } };
const publishing: ResourceStatement = {
  Effect: "Allow",
  Principal: byCloudWatch,
  Action: "sns:Publish",
  Resource: topicArn,
  Condition: ownAccount,
};
const encrypting: ResourceStatement = {
  Effect: "Allow",
  Principal: byCloudWatch,
  Action: ["kms:Decrypt", "kms:GenerateDataKey*"],
  Resource: "*",
  Condition: ownAccount,
};
const onlyEncrypted: ResourceStatement = {
  Effect: "Deny",
  Principal: { AWS: "*" },
  Action: "sns:Publish",
  Resource: topicArn,
  Condition: { Bool: { "aws:SecureTransport": "false" } },
};
const topic: TopicSpec = {
  arn: topicArn,
  policy: [onlyEncrypted, publishing],
  key: { arn: keyArn, policy: [encrypting] },
  mailTo: ["oncall@clinic.example"],
};

function started(change: Partial<TopicSpec> = {}) {
  let nowMs = 1_000_000 * minuteMs;
  const metrics = openMetrics(() => nowMs);
  const mails: { to: string[]; subject: string; text: string }[] = [];
  const published: string[] = [];
  const refused: string[] = [];
  const alarms = runAlarms([alarm], {
    metrics,
    clock: () => nowMs,
    byItself: false,
    sample: () => undefined,
    tell: publishAlarm({
      topics: [{ ...topic, ...change }],
      mail: (mail) => void mails.push(mail),
      publish: (_topic, message) => void published.push(message),
      refused: (_change, why) => void refused.push(why),
    }),
  });
  const pass = (minutes: number) => {
    nowMs += minutes * minuteMs;
    return alarms.evaluate().map(({ state }) => state);
  };
  return { mails, published, refused, pass, fail: () => metrics.record({ ...metric, value: 1 }) };
}

test("an alarm is told once when it starts and once when it ends, with its name, its cause and the time", () => {
  const { mails, published, pass, fail } = started();
  expect(pass(1)).toEqual([]);
  fail();
  expect([pass(1), pass(1), pass(15), pass(5)]).toEqual([["ALARM"], [], ["OK"], []]);
  expect(mails.map(({ to, subject }) => [to, subject])).toEqual([
    [["oncall@clinic.example"], 'ALARM: "voice-Errors" in us-east-1'],
    [["oncall@clinic.example"], 'OK: "voice-Errors" in us-east-1'],
  ]);
  expect(mails[0]?.text).toContain("Cause: voice failed");
  expect(mails[0]?.text).toMatch(/Time: \d{4}-\d{2}-\d{2}T/);
  expect(JSON.parse(published[0] ?? "")).toMatchObject({ AlarmName: "voice-Errors", NewStateValue: "ALARM", OldStateValue: "OK" });
});

test("A01: no one is told where the policy of the topic, or of its key, does not let CloudWatch of this account publish", () => {
  const elsewhere = { ...publishing, Condition: { StringEquals: { "aws:SourceAccount": "111122223333" } } };
  const always = { ...onlyEncrypted, Condition: {} };
  for (const change of [
    { policy: [onlyEncrypted] },
    { policy: [elsewhere] },
    { policy: [publishing, always] },
    { policy: [{ ...publishing, Principal: { Service: "ses.amazonaws.com" } }] },
    { key: { arn: keyArn, policy: [] } },
    { key: { arn: keyArn, policy: [{ ...encrypting, Action: "kms:Decrypt" }] } },
    { arn: "another topic" },
  ]) {
    const { mails, published, refused, pass, fail } = started(change);
    fail();
    expect(pass(1)).toEqual(["ALARM"]);
    expect([JSON.stringify(change), mails, published, refused.length]).toEqual([JSON.stringify(change), [], [], 1]);
  }
});
