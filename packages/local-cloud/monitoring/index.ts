import type { Aws } from "../aws/index.ts";
import { type Metrics, minuteMs, type RecordMetric } from "../aws/cloudwatch/index.ts";
import type { Publish } from "../aws/sns/configuration-sets.ts";
import type { FailureQueues } from "../events/failure-queue.ts";
import { readAlarms } from "../template/alarms.ts";
import type { Resources } from "../template/resources.ts";
import { readTopics } from "../template/topics.ts";
import { type Alarms, runAlarms } from "./alarms.ts";
import { publishAlarm } from "./publish-alarm.ts";

export type Monitoring = Alarms & {
  /** Feeds a metric of a service that does not run here. */
  record: RecordMetric;
  /** Actions that AWS would refuse: the alarm's name, and why. */
  refused: { alarm: string; why: string }[];
};

type Parts = {
  aws: Aws;
  metrics: Metrics;
  clock: () => number;
  byItself: boolean;
  failures: Pick<FailureQueues, "depth">;
  publish: Publish;
};

/** CloudWatch's alarms, as the templates define them. */
export function startMonitoring(resources: Resources, { aws, metrics, clock, byItself, failures, publish }: Parts): Monitoring {
  const queues = resources.ofType("AWS::SQS::Queue").map(({ attributes }) => attributes["QueueName"] ?? "");
  const refused: Monitoring["refused"] = [];
  /** For the minute that ends. */
  const sample = (): void => {
    const atMs = clock() - minuteMs;
    for (const QueueName of queues) {
      const [name, value] = ["ApproximateNumberOfMessagesVisible", failures.depth(QueueName)];
      metrics.record({ namespace: "AWS/SQS", name, dimensions: { QueueName }, value, atMs });
    }
    for (const [name, value] of reputation(aws)) metrics.record({ namespace: "AWS/SES", name, dimensions: {}, value, atMs });
  };
  const alarms = runAlarms(readAlarms(resources), {
    metrics,
    clock,
    byItself,
    sample,
    tell: publishAlarm({
      topics: readTopics(resources),
      mail: (mail) => aws.ses.keep(mail),
      publish,
      refused({ alarm: { name: alarm } }, why) {
        refused.push({ alarm, why });
        process.stderr.write(`The alarm ${alarm} could not be told: ${why}.\n`);
      },
    }),
  });
  return { ...alarms, record: metrics.record, refused };
}

/** Shares of the mail that this platform keeps. Source: "Monitoring your Amazon SES sender reputation" in the Amazon SES Developer Guide. */
function reputation({ ses }: Aws): [name: string, value: number][] {
  const fates = ses.mails().flatMap(({ fate }) => fate ?? []);
  if (fates.length === 0) return [];
  const share = (wanted: (typeof fates)[number]): number => fates.filter((fate) => fate === wanted).length / fates.length;
  return [
    ["Reputation.BounceRate", share("bounced")],
    ["Reputation.ComplaintRate", share("complained")],
  ];
}
