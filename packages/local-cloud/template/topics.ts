import type { ConfigurationSets, EventDestination } from "../aws/sns/configuration-sets.ts";
import type { ResourceStatement } from "../aws/sns/topic-policy.ts";
import { StartError } from "../lib/run.ts";
import { checkPermission } from "./apis.ts";
import { invocable } from "./functions.ts";
import type { Json } from "./assembly.ts";
import { named, refuse, type Placed, type Resources } from "./resources.ts";

export type Subscription = { arn: string; topicArn: string; functionArn: string };

export const readSubscriptions = (resources: Resources): Subscription[] =>
  resources.ofType("AWS::SNS::Subscription").flatMap((subscription) => {
    const { properties, where, ref } = subscription;
    if (properties["Protocol"] === "email") return [];
    if (properties["Protocol"] !== "lambda") throw new StartError(`${where}: only functions and mail can be subscribed to a topic here.`);
    refuse(subscription, "FilterPolicy", "RawMessageDelivery");
    const topicArn = named(resources.ofType("AWS::SNS::Topic"), String(properties["TopicArn"]), where).ref;
    const { arn: functionArn } = invocable(resources, String(properties["Endpoint"]), where);
    checkPermission(resources, functionArn, "sns.amazonaws.com", where);
    return [{ arn: `${topicArn}:${ref}`, topicArn, functionArn }];
  });

export type TopicSpec = {
  arn: string;
  policy: ResourceStatement[];
  /** The key that encrypts its messages. */
  key?: { arn: string; policy: ResourceStatement[] };
  mailTo: string[];
};

export const readTopics = (resources: Resources): TopicSpec[] =>
  resources.ofType("AWS::SNS::Topic").map(({ ref, properties, where }) => {
    const keyId = properties["KmsMasterKeyId"];
    const key = keyId === undefined ? undefined : named(resources.ofType("AWS::KMS::Key"), String(keyId), where);
    return {
      arn: ref,
      policy: policyOf(resources, ref),
      key: key && { arn: key.attributes["Arn"] ?? "", policy: statementsOf(key.properties["KeyPolicy"]) },
      mailTo: resources
        .ofType("AWS::SNS::Subscription")
        .filter(({ properties: { Protocol, TopicArn } }) => Protocol === "email" && TopicArn === ref)
        .map(({ properties: { Endpoint } }) => String(Endpoint)),
    };
  });

const statementsOf = (document: unknown): ResourceStatement[] =>
  (document as { Statement?: ResourceStatement[] } | undefined)?.Statement ?? [];

const policyOf = (resources: Resources, topicArn: string): ResourceStatement[] =>
  resources
    .ofType("AWS::SNS::TopicPolicy")
    .filter(({ properties }) => (properties["Topics"] as string[]).includes(topicArn))
    .flatMap(({ properties }) => statementsOf(properties["PolicyDocument"]));

type Destination = {
  Enabled?: boolean;
  MatchingEventTypes?: string[];
  SnsDestination?: { TopicARN?: string; TopicArn?: string };
};

export function readMailSets(resources: Resources): ConfigurationSets {
  const destinations = resources.ofType("AWS::SES::ConfigurationSetEventDestination");
  return new Map(
    resources
      .ofType("AWS::SES::ConfigurationSet")
      .map(({ ref }) => [
        ref,
        destinations
          .filter(({ properties }) => properties["ConfigurationSetName"] === ref)
          .flatMap((placed) => destinationOf(resources, placed, placed.properties["EventDestination"], "ses.amazonaws.com")),
      ]),
  );
}

export const readTextSets = (resources: Resources): ConfigurationSets =>
  new Map(
    resources
      .ofType("AWS::SMSVOICE::ConfigurationSet")
      .map((set) => [
        set.ref,
        ((set.properties["EventDestinations"] ?? []) as Json[]).flatMap((destination) =>
          destinationOf(resources, set, destination, "sms-voice.amazonaws.com"),
        ),
      ]),
  );

function destinationOf(resources: Resources, { where }: Placed, given: Json | undefined, principal: string): EventDestination[] {
  const { Enabled, MatchingEventTypes = [], SnsDestination } = (given ?? {}) as Destination;
  if (Enabled === false) return [];
  const name = SnsDestination?.TopicARN ?? SnsDestination?.TopicArn;
  if (name === undefined) throw new StartError(`${where}: events can only go to a topic here.`);
  const topicArn = named(resources.ofType("AWS::SNS::Topic"), name, where).ref;
  checkPublishing(resources, topicArn, principal, where);
  return [{ topicArn, eventTypes: MatchingEventTypes }];
}

/** AWS drops events that a service may not publish, so a missing grant stops the start. */
function checkPublishing(resources: Resources, topicArn: string, principal: string, where: string): void {
  const granted = policyOf(resources, topicArn).some(
    ({ Effect, Action, Principal }) =>
      Effect === "Allow" && [Action].flat().includes("sns:Publish") && Principal !== "*" && [Principal?.Service].flat().includes(principal),
  );
  if (!granted) throw new StartError(`${where}: no AWS::SNS::TopicPolicy lets ${principal} publish to ${topicArn.split(":").at(-1)}.`);
}
