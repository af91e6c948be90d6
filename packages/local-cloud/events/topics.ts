import { randomUUID } from "node:crypto";
import type { Publish } from "../aws/sns/configuration-sets.ts";
import type { Subscription } from "../template/topics.ts";
import type { AsyncQueue } from "./async-queue.ts";

/**
 * SNS topics with Lambda subscriptions. The event is persisted before it returns. Source: "Using Lambda with Amazon SNS" in the AWS
 * Lambda Developer Guide.
 */
export const publishTo =
  (subscriptions: readonly Subscription[], queue: Pick<AsyncQueue, "add">): Publish =>
  (topicArn, message) => {
    for (const subscription of subscriptions.filter((one) => one.topicArn === topicArn))
      queue.add(subscription.functionArn, JSON.stringify({ Records: [recordOf(subscription, message)] }));
  };

const recordOf = ({ arn, topicArn }: Subscription, Message: string): object => ({
  EventVersion: "1.0",
  EventSubscriptionArn: arn,
  EventSource: "aws:sns",
  Sns: {
    Type: "Notification",
    MessageId: randomUUID(),
    TopicArn: topicArn,
    Subject: null,
    Message,
    Timestamp: new Date().toISOString(),
    SignatureVersion: "1",
    Signature: "",
    SigningCertUrl: "",
    UnsubscribeUrl: "",
    MessageAttributes: {},
  },
});
