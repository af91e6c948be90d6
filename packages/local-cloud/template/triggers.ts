import { parsePattern, type Pattern } from "./event-pattern.ts";
import { StartError } from "../lib/run.ts";
import { checkPermission } from "./apis.ts";
import { invocable } from "./functions.ts";
import { named, refuse, type Placed, type Resources } from "./resources.ts";

export type StreamTrigger = {
  id: string;
  where: string;
  tableName: string;
  streamArn: string;
  functionArn: string;
  batchSize: number;
  windowMs: number;
  tumblingMs?: number;
  maxRetries?: number;
  maxAgeMs?: number;
  bisect: boolean;
  reportsItemFailures: boolean;
  patterns: Pattern[];
  failureQueue?: string;
  failureBucket?: string;
};

export type ScheduleTrigger = {
  ruleName: string;
  ruleArn: string;
  account: string;
  region: string;
  everyMs: number;
  functionArn: string;
  input?: string;
};

export type AsyncConfig = { maxRetries: number; maxAgeMs: number; failureQueue?: string };

/** Lambda's defaults. */
const defaultAsyncConfig = { maxRetries: 2, maxAgeMs: 6 * 3_600_000 };

export const readAsyncConfigs = (resources: Resources): Map<string, AsyncConfig> =>
  new Map(resources.ofType("AWS::Lambda::Function").map((fn) => [fn.attributes["Arn"] ?? "", asyncConfigOf(resources, fn)]));

function asyncConfigOf(resources: Resources, fn: Placed): AsyncConfig {
  const config = resources
    .ofType("AWS::Lambda::EventInvokeConfig")
    .find(({ properties }) => [fn.ref, fn.attributes["Arn"]].includes(String(properties["FunctionName"])));
  if (config) refuseSuccess(config);
  const { MaximumRetryAttempts, MaximumEventAgeInSeconds } = config?.properties ?? {};
  const destination = (config?.properties["DestinationConfig"] as Destinations | undefined)?.OnFailure?.Destination;
  const deadLetters = (fn.properties["DeadLetterConfig"] as { TargetArn?: string } | undefined)?.TargetArn;
  const queue = destination ?? deadLetters;
  return {
    maxRetries: Number(MaximumRetryAttempts ?? defaultAsyncConfig.maxRetries),
    maxAgeMs: MaximumEventAgeInSeconds === undefined ? defaultAsyncConfig.maxAgeMs : Number(MaximumEventAgeInSeconds) * 1000,
    failureQueue: queue === undefined ? undefined : queueName(resources, queue, config?.where ?? fn.where),
  };
}

type Destinations = { OnFailure?: { Destination?: string }; OnSuccess?: { Destination?: string } };

function refuseSuccess({ properties, where }: Placed): void {
  if ((properties["DestinationConfig"] as Destinations | undefined)?.OnSuccess)
    throw new StartError(`${where}: destinations of success do not run here.`);
}

const queueName = (resources: Resources, arn: string, where: string): string | undefined =>
  named(resources.ofType("AWS::SQS::Queue"), arn, where).attributes["QueueName"];

export const readStreamTriggers = (resources: Resources): StreamTrigger[] =>
  resources.ofType("AWS::Lambda::EventSourceMapping").map((mapping) => readStreamTrigger(resources, mapping));

function readStreamTrigger(resources: Resources, mapping: Placed): StreamTrigger {
  refuse(mapping, "ParallelizationFactor", "ScalingConfig", "Queues", "Topics");
  const { properties, where } = mapping;
  const streamArn = String(properties["EventSourceArn"]);
  const seconds = (name: string): number => Number(properties[name] ?? -1);
  const destination = (properties["DestinationConfig"] as { OnFailure?: { Destination?: string } } | undefined)?.OnFailure?.Destination;
  const filters = (properties["FilterCriteria"] as { Filters?: { Pattern: string }[] } | undefined)?.Filters ?? [];
  return {
    id: mapping.logicalId,
    where,
    tableName: tableOf(resources, streamArn, where),
    streamArn,
    functionArn: invocable(resources, String(properties["FunctionName"]), where).arn,
    batchSize: Number(properties["BatchSize"] ?? 100),
    windowMs: Math.max(0, seconds("MaximumBatchingWindowInSeconds")) * 1000,
    tumblingMs: seconds("TumblingWindowInSeconds") > 0 ? seconds("TumblingWindowInSeconds") * 1000 : undefined,
    maxRetries: seconds("MaximumRetryAttempts") < 0 ? undefined : seconds("MaximumRetryAttempts"),
    maxAgeMs: seconds("MaximumRecordAgeInSeconds") < 0 ? undefined : seconds("MaximumRecordAgeInSeconds") * 1000,
    bisect: properties["BisectBatchOnFunctionError"] === true,
    reportsItemFailures: ((properties["FunctionResponseTypes"] ?? []) as string[]).includes("ReportBatchItemFailures"),
    patterns: filters.map(({ Pattern }) => parsePattern(Pattern, where)),
    ...(destination?.startsWith("arn:aws:s3:::")
      ? { failureBucket: named(resources.ofType("AWS::S3::Bucket"), destination, where).ref }
      : { failureQueue: destination === undefined ? undefined : queueName(resources, destination, where) }),
  };
}

/** A table of the templates, or a restored one that the stage names. */
const tableOf = (resources: Resources, streamArn: string, where: string): string =>
  resources.ofType("AWS::DynamoDB::GlobalTable").find(({ attributes }) => attributes["StreamArn"] === streamArn)?.ref ??
  /:table\/([^/]+)\/stream\//.exec(streamArn)?.[1] ??
  named([], streamArn, where).ref;

const unitMs: Record<string, number> = { minute: 60_000, hour: 3_600_000, day: 86_400_000 };

export const readSchedules = (resources: Resources): ScheduleTrigger[] =>
  resources.ofType("AWS::Events::Rule").flatMap((rule) => {
    refuse(rule, "EventPattern");
    if (rule.properties["State"] === "DISABLED") return [];
    const everyMs = periodOf(rule);
    return ((rule.properties["Targets"] ?? []) as { Arn: string; Input?: string }[]).map(({ Arn, Input }) => {
      const { arn: functionArn } = invocable(resources, Arn, rule.where);
      checkPermission(resources, functionArn, "events.amazonaws.com", rule.where);
      return {
        ruleName: rule.ref,
        ruleArn: rule.attributes["Arn"] ?? "",
        account: rule.stack.account,
        region: rule.stack.region,
        everyMs,
        functionArn,
        input: Input,
      };
    });
  });

function periodOf({ properties, where }: Placed): number {
  const expression = String(properties["ScheduleExpression"]);
  const [, count, unit = ""] = /^rate\((\d+) (minute|hour|day)s?\)$/.exec(expression) ?? [];
  if (!count) throw new StartError(`${where}: the schedule ${expression} is not a rate, and only rates run here.`);
  return Number(count) * (unitMs[unit] ?? 0);
}
