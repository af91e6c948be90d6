import { Duration, Stack, type App } from "aws-cdk-lib";
import { Rule, Schedule } from "aws-cdk-lib/aws-events";
import { LambdaFunction } from "aws-cdk-lib/aws-events-targets";
import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import { EventSourceMapping, FilterCriteria, FilterRule, StartingPosition, type IFunction } from "aws-cdk-lib/aws-lambda";
import { SqsDlq } from "aws-cdk-lib/aws-lambda-event-sources";
import { Queue, QueueEncryption } from "aws-cdk-lib/aws-sqs";
import { acknowledge } from "../constructs/acknowledge.ts";
import type { Bundles } from "../assets/bundle.ts";
import { alarmOn } from "../constructs/monitoring.ts";
import { VitalineFunction } from "../constructs/function.ts";
import { eventFunctionNames, type EventFunctionName } from "../config/functions.ts";
import { stackProps } from "../config/settings.ts";
import type { ApiStack } from "./api.ts";
import type { DataResources } from "../resources/data-resources.ts";

/** Partitions whose rows enter totals; sessions, throttles and tokens change far more often and count for nothing. */
const projected = [
  "TENANT#",
  "PLATFORM#USERS",
  "PLATFORM#TENANTS",
  "PLATFORM#AUDIT#",
  "PLATFORM#ACTIVE#",
  "PLATFORM#CHAIN",
  "PLATFORM#INBOX",
];

/** The functions that the table's stream, the clock and receipts start, and where what they could not take waits. */
export class EventsStack extends Stack {
  readonly functions: ReadonlyMap<EventFunctionName, IFunction>;
  readonly failures: Queue;

  constructor(app: App, data: DataResources, api: ApiStack, folderOf: Bundles["folderOf"]) {
    super(app, `vitaline-${data.settings.stage}-events`, {
      ...stackProps(data.settings),
      description: "Vitaline: functions that events start",
    });
    // They send under what stands there
    this.addDependency(api);
    this.failures = this.#failureQueue(data);
    const streamArn = data.table.tableStreamArn ?? "";
    const reading: readonly EventFunctionName[] = ["events/project", "events/archive"];
    this.functions = new Map(
      eventFunctionNames.map((name) => {
        const statements = reading.includes(name) ? readStream(streamArn) : [];
        return [name, new VitalineFunction(this, name, { data, folder: folderOf(name), failures: this.failures, statements }).fn];
      }),
    );
    api.receipts.feed(this.functionOf("events/receipts"), this.failures);
    this.#projectStream(data, streamArn);
    this.#archiveStream(data, streamArn);
    this.#every("EveryMinute", Duration.minutes(1), "events/probe");
    this.#every("EveryFiveMinutes", Duration.minutes(5), "events/health");
    this.#every("Reminders", Duration.minutes(5), "events/remind");
    this.#every("Deliveries", Duration.minutes(1), "events/deliver");
    this.#every("Reconciling", Duration.minutes(15), "events/reconcile");
    this.#every("Retention", Duration.days(1), "events/retain");
  }

  functionOf(name: EventFunctionName): IFunction {
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
      target: project,
      eventSourceArn: streamArn,
      startingPosition: StartingPosition.TRIM_HORIZON,
      batchSize: 100,
      // Lambda names the shard to its function only under a window; records do not wait for its end.
      tumblingWindow: Duration.minutes(15),
      // Tried until the records are a day old: a batch given up early would be missing from the totals.
      maxRecordAge: Duration.hours(23),
      bisectBatchOnError: true,
      onFailure: new SqsDlq(this.failures),
      filters: [
        FilterCriteria.filter({ dynamodb: { Keys: { pk: { S: projected.map((prefix) => FilterRule.beginsWith(prefix)).flat() } } } }),
      ],
    });
    alarmOn(this, "ProjectionLag", {
      data,
      description: "totals lag behind the table by minutes",
      metric: project.metric("IteratorAge", { statistic: "Maximum", period: Duration.minutes(5) }),
      threshold: Duration.minutes(5).toMilliseconds(),
    });
  }

  /** Audit rows, in their order, into the bucket that forgets nothing; never given up within a day. */
  #archiveStream(data: DataResources, streamArn: string): void {
    const archive = this.functionOf("events/archive");
    const audited = (prefix: string) => ({
      eventName: ["INSERT"],
      dynamodb: { Keys: { pk: { S: FilterRule.beginsWith(prefix) } }, NewImage: { actorKind: { S: FilterRule.exists() } } },
    });
    new EventSourceMapping(this, "Archiving", {
      target: archive,
      eventSourceArn: streamArn,
      startingPosition: StartingPosition.TRIM_HORIZON,
      batchSize: 500,
      maxBatchingWindow: Duration.seconds(5),
      // As above: so that Lambda names the shard, by which a redelivered row is known.
      tumblingWindow: Duration.minutes(15),
      maxRecordAge: Duration.hours(23),
      bisectBatchOnError: true,
      onFailure: new SqsDlq(this.failures),
      filters: ["TENANT#", "PLATFORM#AUDIT#"].map((prefix) => FilterCriteria.filter(audited(prefix))),
    });
    alarmOn(this, "ArchiveLag", {
      data,
      description: "the audit archive lags behind the table",
      metric: archive.metric("IteratorAge", { statistic: "Maximum", period: Duration.minutes(5) }),
      threshold: Duration.minutes(30).toMilliseconds(),
    });
  }

  #every(id: string, period: Duration, name: EventFunctionName): void {
    const rule = new Rule(this, id, {
      schedule: Schedule.rate(period),
      // The next tick is the next try.
      targets: [new LambdaFunction(this.functionOf(name), { retryAttempts: 0, maxEventAge: Duration.minutes(1) })],
    });
    acknowledge(rule, {
      "Serverless-EventBusDLQ":
        "A tick that was not delivered is made good by the next one, as what is due stays in the table; a run that fails lands in the failure queue and raises an alarm.",
    });
  }
}

const readStream = (streamArn: string): PolicyStatement[] => [
  new PolicyStatement({ actions: ["dynamodb:DescribeStream", "dynamodb:GetRecords", "dynamodb:GetShardIterator"], resources: [streamArn] }),
  // ListStreams knows no resource to name.
  new PolicyStatement({ actions: ["dynamodb:ListStreams"], resources: ["*"] }),
];
