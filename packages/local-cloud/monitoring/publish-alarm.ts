import { serviceMay } from "../aws/sns/topic-policy.ts";
import type { Publish } from "../aws/sns/configuration-sets.ts";
import type { TopicSpec } from "../template/topics.ts";
import { alarmMessage } from "./alarm-message.ts";
import type { StateChange } from "./alarms.ts";

type Options = {
  topics: readonly TopicSpec[];
  mail: (mail: { from: string; to: string[]; subject: string; text: string }) => void;
  publish: Publish;
  /** An action that AWS would refuse; CloudWatch notes it in the alarm's history. */
  refused: (change: StateChange, why: string) => void;
};

const service = "cloudwatch.amazonaws.com";

/** Publishes an alarm's change of state, as far as the policies of the topic and of the topic's key let CloudWatch. */
export const publishAlarm =
  ({ topics, mail, publish, refused }: Options): ((change: StateChange, topicArn: string) => void) =>
  (change, topicArn) => {
    const topic = topics.find(({ arn }) => arn === topicArn);
    if (!topic) return refused(change, `there is no topic ${topicArn}`);
    const context = { "aws:SourceAccount": change.alarm.account, "aws:SourceArn": change.alarm.arn, "aws:SecureTransport": "true" };
    if (!serviceMay(topic.policy, service, { action: "sns:Publish", resource: topicArn, context }))
      return refused(change, `no policy of ${topicArn} lets ${service} publish`);
    const { key } = topic;
    const needed = ["kms:Decrypt", "kms:GenerateDataKey"];
    if (key && !needed.every((action) => serviceMay(key.policy, service, { action, resource: key.arn, context })))
      return refused(change, `the key of ${topicArn} is closed to ${service}`);
    const { subject, text, json } = alarmMessage(change);
    if (topic.mailTo.length > 0) mail({ from: "no-reply@sns.amazonaws.com", to: topic.mailTo, subject, text });
    publish(topicArn, json);
  };
