import { Duration, Stack, type App } from "aws-cdk-lib";
import { Metric } from "aws-cdk-lib/aws-cloudwatch";
import { Rule, Schedule } from "aws-cdk-lib/aws-events";
import { LambdaFunction } from "aws-cdk-lib/aws-events-targets";
import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import { EventSourceMapping, FilterCriteria, MetricType, StartingPosition } from "aws-cdk-lib/aws-lambda";
import { S3OnFailureDestination, SqsDlq } from "aws-cdk-lib/aws-lambda-event-sources";
import { Queue, QueueEncryption } from "aws-cdk-lib/aws-sqs";
import { acknowledge } from "../constructs/acknowledge.ts";
import type { Bundles } from "../assets/bundle.ts";
import { alarmOn } from "../constructs/monitoring/alarm.ts";
import { loggedMetric } from "../constructs/monitoring/platform-metrics.ts";
import { VitalineFunction } from "../constructs/functions/function.ts";
import { auditRecords } from "../config/audit-records.ts";
import { projectedRecords } from "../config/projected-records.ts";
import { eventFunctionNames, type EventFunctionName } from "../config/functions.ts";
import { stackProps } from "../config/settings.ts";
import type { ApiStack } from "./api.ts";
import type { WebStack } from "./web.ts";
import type { DataResources } from "../resources/data-resources.ts";

/** Functions started by the table's stream, by schedules and by receipts, and their failure queue. */
export class EventsStack extends Stack {
  readonly functions: ReadonlyMap<EventFunctionName, VitalineFunction>;
  readonly failures: Queue;

  constructor(app: App, { data, api, web }: { data: DataResources; api: ApiStack; web: WebStack }, folderOf: Bundles["folderOf"]) {
    super(app, `vitaline-${data.settings.stage}-events`, {
      ...stackProps(data.settings),
      description: "Vitaline: functions that events start",
    });
    // They send mail and texts under the API's configuration sets, and the canary asks the address.
    this.addStackDependency(web);
    this.failures = this.#failureQueue(data);
    const { streamArn } = data.served;
    const reading: readonly EventFunctionName[] = ["events/project", "events/archive"];
    this.functions = new Map(
      eventFunctionNames.map((name) => {
        const statements = [
          ...(reading.includes(name) ? readStream(streamArn) : []),
          ...(name === "events/archive" ? keepUnarchived(data) : []),
        ];
        const environment: Record<string, string> = name === "events/canary" ? { CANARY_ORIGIN: web.origin } : {};
        const props = { data, folder: folderOf(name), failures: this.failures, statements, environment };
        return [name, new VitalineFunction(this, name, props)];
      }),
    );
    api.receipts.subscribe(this.functionOf("events/receipts").live, this.failures);
    this.#projectStream(data, streamArn);
    this.#archiveStream(data, streamArn);
    this.#schedule(data, "Canary", Duration.minutes(1), "events/canary");
    this.#schedule(data, "KeptRecords", Duration.minutes(15), "events/project");
    this.#schedule(data, "EveryMinute", Duration.minutes(1), "events/retry");
    this.#schedule(data, "EveryFiveMinutes", Duration.minutes(5), "events/health");
    this.#schedule(data, "Reminders", Duration.minutes(5), "events/remind");
    this.#schedule(data, "Deliveries", Duration.minutes(1), "events/deliver");
    this.#schedule(data, "Reconciling", Duration.minutes(15), "events/reconcile");
    this.#schedule(data, "Retention", Duration.days(1), "events/retain");
    this.#schedule(data, "Verification", Duration.hours(1), "events/verify");
    this.#watchVerification(data);
  }

  functionOf(name: EventFunctionName): VitalineFunction {
    const fn = this.functions.get(name);
    if (!fn) throw new Error(`There is no function ${name}.`);
    return fn;
  }

  #failureQueue(data: DataResources): Queue {
    const queue = new Queue(this, "Failures", {
      encryption: QueueEncryption.KMS,
      encryptionMasterKey: data.filesKey,
      enforceSSL: true,
      retentionPeriod: Duration.days(14),
    });
    acknowledge(queue, {
      "Serverless-SQSRedrivePolicy": "It is the queue of last resort: messages stay 14 days and an alarm tells of the first.",
    });
    alarmOn(this, "FailuresWaiting", {
      data,
      description: "an event could not be processed and waits in the failure queue",
      metric: queue.metricApproximateNumberOfMessagesVisible(),
      threshold: 1,
    });
    return queue;
  }

  #projectStream(data: DataResources, streamArn: string): void {
    const project = this.functionOf("events/project");
    new EventSourceMapping(this, "Projection", {
      target: project.live,
      eventSourceArn: streamArn,
      startingPosition: StartingPosition.TRIM_HORIZON,
      batchSize: 100,
      // Records of a second share an invocation and its writes of totals.
      maxBatchingWindow: Duration.seconds(1),
      // Lambda passes the shard id only with a tumbling window. Records do not wait for its end.
      tumblingWindow: Duration.minutes(15),
      // Retried until records expire after a day: a dropped batch would be missing from the totals.
      maxRecordAge: Duration.hours(23),
      bisectBatchOnError: true,
      onFailure: new SqsDlq(this.failures),
      filters: projectedRecords.map((pattern) => FilterCriteria.filter(pattern)),
    });
    alarmOn(this, "ProjectionLag", {
      data,
      description: "totals lag behind the table by minutes",
      metric: project.fn.metric("IteratorAge", { statistic: "Maximum", period: Duration.minutes(5) }),
      threshold: Duration.minutes(5).toMilliseconds(),
    });
  }

  /** Archives audit rows in order; retried for a day. Also told of audit rows that were changed, or deleted before they expired. */
  #archiveStream(data: DataResources, streamArn: string): void {
    const archive = this.functionOf("events/archive");
    const mapping = new EventSourceMapping(this, "Archiving", {
      target: archive.live,
      eventSourceArn: streamArn,
      startingPosition: StartingPosition.TRIM_HORIZON,
      batchSize: 500,
      maxBatchingWindow: Duration.seconds(5),
      // For the shard id, by which redelivered rows are recognized.
      tumblingWindow: Duration.minutes(15),
      maxRecordAge: Duration.hours(23),
      bisectBatchOnError: true,
      // A bucket gets the records themselves; a queue would get only their place in the stream, which forgets them after a day.
      onFailure: new S3OnFailureDestination(data.unarchived),
      metricsConfig: { metrics: [MetricType.EVENT_COUNT] },
      filters: auditRecords.map((pattern) => FilterCriteria.filter(pattern)),
    });
    alarmOn(this, "AuditChanged", {
      data,
      description: "an audit row in the table was changed or deleted",
      metric: loggedMetric(data, "AuditChanged", { statistic: "Sum", period: Duration.minutes(1) }),
      threshold: 1,
    });
    for (const [id, metricName] of Object.entries(lossMetrics))
      alarmOn(this, id, {
        data,
        description: "audit rows were not archived: run npm run audit:redrive",
        metric: new Metric({
          namespace: "AWS/Lambda",
          metricName,
          statistic: "Sum",
          period: Duration.minutes(1),
          dimensionsMap: { EventSourceMappingUUID: mapping.eventSourceMappingId },
        }),
        threshold: 1,
      });
    alarmOn(this, "ArchiveLag", {
      data,
      description: "the audit archive lags behind the table",
      metric: archive.fn.metric("IteratorAge", { statistic: "Maximum", period: Duration.minutes(5) }),
      threshold: Duration.minutes(10).toMilliseconds(),
    });
  }

  #watchVerification(data: DataResources): void {
    alarmOn(this, "AuditDamaged", {
      data,
      description: "the audit archive and the table differ: run npm run audit:verify",
      metric: loggedMetric(data, "AuditFlaws", { statistic: "Sum", period: Duration.minutes(1) }),
      threshold: 1,
    });
    alarmOn(this, "AuditUnverified", {
      data,
      description: "a chain of the audit archive was not verified for three hours",
      metric: loggedMetric(data, "BacklogAge", { statistic: "Maximum", dimensions: { operation: "verify" }, period: Duration.hours(1) }),
      // Seen in two runs: the one that should have verified it an hour ago, and the next.
      threshold: Duration.minutes(90).toSeconds(),
      periods: 2,
      silenceBreaches: true,
    });
  }

  #schedule(data: DataResources, id: string, period: Duration, name: EventFunctionName): void {
    const rule = new Rule(this, id, {
      schedule: Schedule.rate(period),
      // The next run is the retry.
      targets: [new LambdaFunction(this.functionOf(name).live, { retryAttempts: 0, maxEventAge: Duration.minutes(1) })],
    });
    const { fn } = this.functionOf(name);
    const options = { statistic: "Sum", period: Duration.minutes(Math.max(5, period.toMinutes())) };
    alarmOn(rule, "Silent", {
      data,
      description: `${fn.functionName} has not run on its schedule`,
      metric: startedByOthers.has(name)
        ? new Metric({ namespace: "AWS/Events", metricName: "Invocations", dimensionsMap: { RuleName: rule.ruleName }, ...options })
        : fn.metricInvocations(options),
      threshold: 0,
      below: true,
      periods: 3,
      silenceBreaches: true,
    });
    acknowledge(rule, {
      "Serverless-EventBusDLQ":
        "Each run does the work of those that were not delivered; the alarm Silent tells when three are missing, and a run that fails goes to the failure queue, which has an alarm.",
    });
  }
}

/** Functions that run without their schedule too, so that their invocations do not tell that it has stopped. */
const startedByOthers: ReadonlySet<EventFunctionName> = new Set(["events/project", "events/deliver", "events/retain"]);

/** Alarm → metric. Source: "Event source mapping metrics" in the Lambda Developer Guide. */
const lossMetrics = { ArchiveGaveUp: "OnFailureDestinationDeliveredEventCount", ArchiveDropped: "DroppedEventCount" };

/** Lambda writes them with the function's role. Source: "Retain discarded batch records" in the Lambda Developer Guide. */
const keepUnarchived = (data: DataResources): PolicyStatement[] => [
  new PolicyStatement({ actions: ["s3:PutObject"], resources: [data.unarchived.arnForObjects("*")] }),
  new PolicyStatement({ actions: ["s3:ListBucket"], resources: [data.unarchived.bucketArn] }),
  new PolicyStatement({
    actions: ["kms:GenerateDataKey"],
    resources: [data.filesKey.keyArn],
    conditions: { StringEquals: { "kms:ViaService": `s3.${data.region}.amazonaws.com` } },
  }),
];

const readStream = (streamArn: string): PolicyStatement[] => [
  new PolicyStatement({ actions: ["dynamodb:DescribeStream", "dynamodb:GetRecords", "dynamodb:GetShardIterator"], resources: [streamArn] }),
  // ListStreams has no resource.
  new PolicyStatement({ actions: ["dynamodb:ListStreams"], resources: ["*"] }),
];
