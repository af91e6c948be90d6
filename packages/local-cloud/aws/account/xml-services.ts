import { authorize, isAllowed } from "../iam/authorize.ts";
import { AwsError } from "../http/respond.ts";
import { xml } from "../s3/xml.ts";
import type { Answer } from "../types.ts";
import type { AskedOfAccount } from "./json-services.ts";
import type { AccountState, HostedZone } from "./state.ts";

type Content = Parameters<typeof xml>[1];

const xmlAnswer = (root: string, content: Content): Answer => ({ headers: { "content-type": "text/xml" }, body: xml(root, content) });

/** The query protocol: the operation is in the form. */
export const queryOperation = (body: Buffer): string => new URLSearchParams(body.toString()).get("Action") ?? "";

/** Source: "ListTopics" and "ListSubscriptionsByTopic" in the SNS API reference. */
export function serveSns({ topics, subscriptions }: AccountState, { caller, operation, body }: AskedOfAccount): Answer {
  if (operation === "ListTopics") {
    allow(caller, "SNS:ListTopics", "*");
    return xmlAnswer("ListTopicsResponse", { ListTopicsResult: { Topics: { member: topics.map((TopicArn) => ({ TopicArn })) } } });
  }
  if (operation !== "ListSubscriptionsByTopic") throw unknown();
  const TopicArn = new URLSearchParams(body.toString()).get("TopicArn") ?? "";
  allow(caller, "SNS:ListSubscriptionsByTopic", TopicArn);
  if (!topics.includes(TopicArn)) throw new AwsError(404, "NotFound", "Topic does not exist");
  const member = subscriptions
    .filter(({ topicArn }) => topicArn === TopicArn)
    .map(({ endpoint, confirmed }, index) => ({
      SubscriptionArn: confirmed ? `${TopicArn}:${index}` : "PendingConfirmation",
      Owner: caller.account,
      Protocol: "email",
      Endpoint: endpoint,
      TopicArn,
    }));
  return xmlAnswer("ListSubscriptionsByTopicResponse", { ListSubscriptionsByTopicResult: { Subscriptions: { member } } });
}

/** SNS has an error code of its own for what IAM refuses. */
function allow(caller: AskedOfAccount["caller"], action: string, resource: string): void {
  if (!isAllowed(caller, { action, resource })) authorize(caller, { action, resource }, "AuthorizationError", 403);
}

export const route53OperationName = (method: string, pathname: string): string | undefined =>
  method !== "GET"
    ? undefined
    : /^\/2013-04-01\/hostedzone\/[^/]+$/.test(pathname)
      ? "GetHostedZone"
      : /^\/2013-04-01\/hostedzone\/[^/]+\/rrset$/.test(pathname)
        ? "ListResourceRecordSets"
        : undefined;

/** Records are listed by name and type from the one that is asked. Source: "ListResourceRecordSets" in the Route 53 API reference. */
export function serveRoute53({ hostedZones }: AccountState, { caller, operation, url }: AskedOfAccount): Answer {
  const id = url.pathname.split("/")[3] ?? "";
  authorize(caller, { action: `route53:${operation}`, resource: `arn:aws:route53:::hostedzone/${id}` }, "AccessDenied", 403);
  const zone = hostedZones.find((one) => one.id === id);
  if (!zone) throw new AwsError(404, "NoSuchHostedZone", `No hosted zone found with ID: ${id}`);
  if (operation === "GetHostedZone")
    return xmlAnswer("GetHostedZoneResponse", {
      HostedZone: { Id: `/hostedzone/${id}`, Name: `${zone.name}.`, CallerReference: id, Config: { PrivateZone: zone.isPrivate ?? false } },
    });
  if (operation !== "ListResourceRecordSets") throw unknown();
  const MaxItems = Number(url.searchParams.get("maxitems") ?? 300);
  const records = recordsFrom(zone, url.searchParams.get("name") ?? "", url.searchParams.get("type") ?? "");
  return xmlAnswer("ListResourceRecordSetsResponse", {
    ResourceRecordSets: {
      ResourceRecordSet: records.slice(0, MaxItems).map(({ name, type, values }) => ({
        Name: name,
        Type: type,
        TTL: 300,
        ResourceRecords: { ResourceRecord: values.map((Value) => ({ Value })) },
      })),
    },
    IsTruncated: records.length > MaxItems,
    MaxItems,
  });
}

/** Sorted by the labels from the right, as Route 53 does. */
function recordsFrom({ records }: HostedZone, name: string, type: string): HostedZone["records"] {
  const place = (record: { name: string; type: string }): string => `${record.name.split(".").reverse().join(".")} ${record.type}`;
  return records.filter((record) => place(record) >= place({ name, type })).toSorted((a, b) => (place(a) < place(b) ? -1 : 1));
}

const unknown = (): AwsError => new AwsError(400, "InvalidAction", "This operation is not supported here");
