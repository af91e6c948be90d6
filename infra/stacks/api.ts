import { Duration, Stack, type App } from "aws-cdk-lib";
import { Rule, Schedule } from "aws-cdk-lib/aws-events";
import { LambdaFunction } from "aws-cdk-lib/aws-events-targets";
import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import { EventSourceMapping, FilterCriteria, FilterRule, StartingPosition, type IFunction } from "aws-cdk-lib/aws-lambda";
import { SqsDlq } from "aws-cdk-lib/aws-lambda-event-sources";
import { Queue, QueueEncryption } from "aws-cdk-lib/aws-sqs";
import { acknowledge } from "../acknowledge.ts";
import type { Bundles } from "../bundle.ts";
import { alarmOn } from "../constructs/alarm.ts";
import { ApiFunction } from "../constructs/api-function.ts";
import { ContractApi } from "../constructs/contract-api.ts";
import { functionNames, type FunctionName } from "../functions.ts";
import { stackProps } from "../stack-props.ts";
import type { Data } from "./data.ts";

/** Partitions whose rows enter totals; sessions, throttles and tokens change far more often and count for nothing. */
const projected = ["TENANT#", "PLATFORM#USERS", "PLATFORM#TENANTS"];

/** The functions, the HTTP API in front of them, and what starts the others: the table's stream and the clock. */
export class Api extends Stack {
  readonly http: ContractApi;
  readonly functions: ReadonlyMap<FunctionName, IFunction>;
  readonly failures: Queue;

  constructor(app: App, data: Data, folderOf: Bundles["folderOf"]) {
    super(app, `vitaline-${data.settings.stage}-api`, {
      ...stackProps(data.settings),
      description: "Vitaline: functions and the API in front of them",
    });
    this.failures = this.#failureQueue(data);
    const streamArn = data.table.tableStreamArn ?? "";
    const extras: Partial<Record<FunctionName, { failures: Queue; statements?: PolicyStatement[] }>> = {
      "events/project": { failures: this.failures, statements: readStream(streamArn) },
      "events/probe": { failures: this.failures },
    };
    this.functions = new Map(
      functionNames.map((name) => [name, new ApiFunction(this, name, { data, folder: folderOf(name), ...extras[name] }).fn]),
    );
    this.http = new ContractApi(this, "Api", { data, functionOf: (name) => this.functionOf(name) });
    this.#projectStream(data, streamArn);
    this.#probeEveryMinute();
  }

  functionOf(name: FunctionName): IFunction {
    const fn = this.functions.get(name);
    if (!fn) throw new Error(`There is no function ${name}.`);
    return fn;
  }

  #failureQueue(data: Data): Queue {
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

  #projectStream(data: Data, streamArn: string): void {
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

  #probeEveryMinute(): void {
    const rule = new Rule(this, "EveryMinute", {
      schedule: Schedule.rate(Duration.minutes(1)),
      // The next minute is the next try.
      targets: [new LambdaFunction(this.functionOf("events/probe"), { retryAttempts: 0, maxEventAge: Duration.minutes(1) })],
    });
    acknowledge(rule, {
      "Serverless-EventBusDLQ":
        "A tick that was not delivered is made good by the next one, as due work stays in the table; a probe that fails lands in the failure queue and raises an alarm.",
    });
  }
}

const readStream = (streamArn: string): PolicyStatement[] => [
  new PolicyStatement({ actions: ["dynamodb:DescribeStream", "dynamodb:GetRecords", "dynamodb:GetShardIterator"], resources: [streamArn] }),
  // ListStreams knows no resource to name.
  new PolicyStatement({ actions: ["dynamodb:ListStreams"], resources: ["*"] }),
];
