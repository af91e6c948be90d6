import { ListSubscriptionsByTopicCommand, paginateListTopics, type SNSClient } from "@aws-sdk/client-sns";
import type { Check } from "./clients.ts";

/** The first deployment creates topic and subscription; SNS removes a subscription that is not confirmed for two days. */
export const checkAlarms: Check = async ({ sns }, { stage, alarmEmail }) => {
  const topic = await topicOf(sns, `vitaline-${stage}-data-Alarms`);
  if (topic === undefined || alarmEmail === undefined) return [];
  const { Subscriptions = [] } = await sns.send(new ListSubscriptionsByTopicCommand({ TopicArn: topic }));
  const own = Subscriptions.filter(({ Protocol, Endpoint }) => Protocol === "email" && Endpoint === alarmEmail);
  if (own.some(({ SubscriptionArn = "" }) => SubscriptionArn.startsWith("arn:"))) return [];
  return [
    own.length > 0
      ? `Alarms do not reach ${alarmEmail}: open the link in the mail that AWS sent to it.`
      : `Alarms do not reach ${alarmEmail}, whose subscription was never confirmed or was ended: subscribe it to the topic ${topic} and open the link in its mail.`,
  ];
};

async function topicOf(sns: SNSClient, name: string): Promise<string | undefined> {
  for await (const { Topics = [] } of paginateListTopics({ client: sns }, {}))
    for (const { TopicArn } of Topics) if (TopicArn?.split(":").at(-1)?.startsWith(name)) return TopicArn;
  return undefined;
}
