import type { IncomingMessage, ServerResponse } from "node:http";
import { randomBytes, randomUUID } from "node:crypto";
import path from "node:path";
import { AwsError } from "./aws/http/respond.ts";
import { type Aws, type AwsOptions, type Principal, type Role, type Service, startAws } from "./aws/index.ts";
import { type Datum, openMetrics, type RecordMetric } from "./aws/cloudwatch/index.ts";
import type { Publish } from "./aws/sns/configuration-sets.ts";
import { createDistribution, type Origin } from "./cloudfront/index.ts";
import { bucketResponse, deployedObjects } from "./cloudfront/site.ts";
import type { OriginSpec } from "./template/edge/distribution-types.ts";
import { type AsyncQueue, openAsyncQueue } from "./events/async-queue.ts";
import { type FailureQueues, openFailureQueues } from "./events/failure-queue.ts";
import { invokeApi } from "./events/invoke-api.ts";
import { runStreamTrigger } from "./events/stream.ts";
import { publishTo } from "./events/topics.ts";
import { createGateway } from "./gateway/index.ts";
import { headerOf, type HttpRequest, type HttpResponse, isLoopbackHost, jsonResponse } from "./lib/message.ts";
import { type HttpServer, serveHttp } from "./lib/server.ts";
import { concurrencyApi, isAboutConcurrency } from "./lambda/concurrency.ts";
import { splitArn } from "./lambda/function-versions.ts";
import { type Lambda, startLambda } from "./lambda/index.ts";
import type { Logs } from "./lambda/logs.ts";
import { StartError } from "./lib/run.ts";
import { cloudFormationApi } from "./stacks/cloudformation-api.ts";
import { openStacks } from "./stacks/stacks.ts";
import { type Monitoring, startMonitoring } from "./monitoring/index.ts";
import { type ApiSpec, readApis } from "./template/apis.ts";
import { type Assembly, readAssembly, type Template } from "./template/assembly.ts";
import { readBuckets, readKeys, readSecrets, readTables } from "./template/data-resources.ts";
import { type DeploymentSpec, readDeployments } from "./template/deployments.ts";
import { readDistributions } from "./template/edge/distributions.ts";
import { type FunctionSpec, readFunctions } from "./template/functions.ts";
import { readResources, type Resources } from "./template/resources.ts";
import type { SecretText } from "./template/resolve.ts";
import { readRoles } from "./template/iam/roles.ts";
import { readMailSets, readSubscriptions, readTextSets } from "./template/topics.ts";
import { readAsyncConfigs, readSchedules, readStreamTriggers, type ScheduleTrigger, type StreamTrigger } from "./template/triggers.ts";

/** Invokes the function on its schedule until stopped. A failed run does not stop the schedule. */
function runSchedule(trigger: ScheduleTrigger, start: (trigger: ScheduleTrigger) => Promise<unknown>): { stop(): void } {
  const timer = setInterval(() => void start(trigger), trigger.everyMs);
  return { stop: () => clearInterval(timer) };
}

export const scheduledEvent = ({ ruleArn, account, region, input }: ScheduleTrigger): unknown =>
  input === undefined
    ? {
        version: "0",
        id: randomUUID(),
        "detail-type": "Scheduled Event",
        source: "aws.events",
        account,
        time: `${new Date().toISOString().slice(0, 19)}Z`,
        region,
        resources: [ruleArn],
        detail: {},
      }
    : JSON.parse(input);

type Operator = { accessKeyId: string; secretAccessKey: string };

const newOperator = (): Operator => ({
  accessKeyId: `AKIA${randomBytes(8).toString("hex").toUpperCase()}`,
  secretAccessKey: randomBytes(30).toString("base64url"),
});

function principalsOf(functions: FunctionSpec[], roles: Map<string, Role>, account: string, operator: Operator): Map<string, Principal> {
  return new Map<string, Principal>([
    [operator.accessKeyId, { arn: `arn:aws:iam::${account}:user/operator`, statements: "all", secretAccessKey: operator.secretAccessKey }],
    ...functions.map(({ accessKeyId, secretAccessKey, roleArn }): [string, Principal] => [
      accessKeyId,
      { arn: roleArn, statements: roles.get(roleArn)?.statements ?? [], secretAccessKey },
    ]),
  ]);
}

export type CloudOptions = {
  assembly: string;
  port: number;
  awsPort: number;
  dataDir?: string;
  logs: Logs;
  mutateTemplate?: (template: Template, stackName: string) => void;
  prepareFunction?: (spec: FunctionSpec) => FunctionSpec;
  /** Runs before the edge; returns true when it has taken the request. */
  intercept?: (request: IncomingMessage, response: ServerResponse) => boolean;
  fault?: AwsOptions["fault"];
  asyncRetryMs?: number[];
  /** The time of metrics, alarms, stream records and expiry; functions keep the machine's own. */
  clock?: () => number;
  /** False: alarms are evaluated only when `monitoring.evaluate` is called. */
  evaluatesAlarms?: boolean;
};

export type Cloud = {
  origin: string;
  region: string;
  tableNames: string[];
  lockedBuckets: string[];
  /** Buckets of stream batches that were given up. */
  failureBuckets: string[];
  certificateKeyArn: string | undefined;
  aws: Aws;
  operator: Operator;
  lambda: Lambda;
  http: HttpServer;
  functions: FunctionSpec[];
  /** Names that reach an API without CloudFront. */
  apiHosts: string[];
  isPage(path: string): boolean;
  /** Metrics and alarms. */
  monitoring: Monitoring;
  runScheduled(functionName: string): Promise<void>;
  /** Runs every scheduled function once, since the machine may have been off at the scheduled time. */
  catchUp(): Promise<void>;
  /** Resolves when no asynchronous event runs and every stream consumer has read all records. */
  drained(): Promise<void>;
  close(): Promise<void>;
};

export async function startCloud(options: CloudOptions): Promise<Cloud> {
  const assembly = await readAssembly(options.assembly);
  for (const { template, name } of assembly.stacks) options.mutateTemplate?.(template, name);
  const { region, account } = placeOf(assembly);
  const principals = new Map<string, Principal>();
  let roles = new Map<string, Role>();
  let secretText: SecretText = () => {
    throw new StartError("A secret is referenced before the secrets exist: reference it only in functions and distributions.");
  };
  const secretOf: SecretText = (...which) => secretText(...which);
  const fileOf = (name: string) => options.dataDir && path.join(options.dataDir, name);
  const stacks = openStacks(assembly, {
    path: fileOf("stacks.json"),
    secretText: secretOf,
    onUpdate: (updated) => edge?.serve(updated),
  });
  const resources = readResources(assembly, secretOf);

  const { clock = () => Date.now() } = options;
  const metrics = openMetrics(clock);
  let lambdaApi: Service | undefined;
  let publish: Publish | undefined;
  let edge: Edge | undefined;
  const aws = await startAws({
    dataDir: options.dataDir,
    port: options.awsPort,
    region,
    account,
    principals: (id) => principals.get(id),
    roles: (arn) => roles.get(arn),
    fault: options.fault,
    clock,
    record: metrics.record,
    publish: (topicArn, message) => publish?.(topicArn, message),
    services: {
      lambda: async (call) => {
        if (!lambdaApi) throw new AwsError(503, "ServiceException", "The platform is starting.");
        return lambdaApi(call);
      },
      cloudformation: cloudFormationApi(stacks),
    },
  });
  const started: { close(): Promise<void> }[] = [{ close: () => aws.close() }];
  const close = async (): Promise<void> => {
    for (const part of started.splice(0).reverse()) await part.close();
  };
  try {
    secretText = (...which) => aws.secrets.value(...which);
    await createData(aws, resources);
    const functions = readFunctions(resources).map(options.prepareFunction ?? ((spec) => spec));
    const concurrency = concurrencyApi(functions, fileOf("concurrency.json"));
    const operator = newOperator();
    roles = readRoles(resources);
    for (const [id, principal] of principalsOf(functions, roles, account, operator)) principals.set(id, principal);
    const lambda = startLambda(functions, { awsUrl: aws.url, logs: options.logs, record: metrics.record, clock });
    started.push({ close: () => lambda.close() });

    const failures = openFailureQueues(options.dataDir, (bucket, key, body) => aws.s3.put(bucket, key, body));
    const queue = startQueue(resources, functions, { ...options, lambda, failures });
    started.push(queue);
    const invocation = invokeApi({ functionArns: functions.flatMap(arnsOf), invoke: lambda.invoke, queue });
    lambdaApi = (call) => (isAboutConcurrency(call) ? concurrency(call) : invocation(call));

    const watching = { record: metrics.record, clock };
    const front = edgeOf(resources, aws, lambda, watching);
    edge = front;
    const http = await serveHttp(options.port, front.answer, options.intercept);
    started.push(http);
    useOrigin(functions, resources, `http://localhost:${http.port}`);
    publish = publishTo(readSubscriptions(resources), queue);
    const streamTriggers = readStreamTriggers(resources);
    const triggers = startTriggers(readSchedules(resources), streamTriggers, { aws, lambda, failures, ...watching });
    started.push(triggers);
    const monitoring = startMonitoring(resources, {
      aws,
      metrics,
      clock,
      byItself: options.evaluatesAlarms ?? true,
      failures,
      publish,
    });
    started.push({ close: async () => monitoring.close() });
    const tableNames = resources.ofType("AWS::DynamoDB::GlobalTable").map(({ ref }) => ref);
    return {
      origin: `http://localhost:${http.port}`,
      region,
      tableNames,
      lockedBuckets: readBuckets(resources).flatMap(({ name, objectLock }) => (objectLock ? [name] : [])),
      failureBuckets: streamTriggers.flatMap(({ failureBucket }) => failureBucket ?? []),
      certificateKeyArn: readKeys(resources).find(({ tags }) => tags?.["vitaline:use"] === "certificates")?.arn,
      aws,
      operator,
      lambda,
      http,
      functions,
      apiHosts: readApis(resources).map(({ domainName }) => domainName),
      isPage: front.isPage,
      monitoring,
      runScheduled: triggers.runScheduled,
      catchUp: triggers.catchUp,
      async drained() {
        // What one function writes may be a record for another, so a round that delivered something is followed by another
        for (let before = -1; before !== triggers.delivered();) {
          before = triggers.delivered();
          await queue.drained();
          await triggers.drained();
        }
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

const nameIn = ({ functionArn }: { functionArn: string }): string => functionArn.split(":")[6] ?? "";

const arnsOf = ({ arn, versions, aliases }: FunctionSpec): string[] => [
  arn,
  ...[...versions, ...Object.keys(aliases)].map((qualifier) => `${arn}:${qualifier}`),
];

function placeOf({ stacks }: Assembly): { region: string; account: string } {
  const [first] = stacks;
  if (!first) throw new StartError("The synthesized app has no stacks.");
  const elsewhere = stacks.find(({ region, account }) => region !== first.region || account !== first.account);
  if (elsewhere)
    throw new StartError(`Stack ${elsewhere.name} has a different account or region than ${first.name}: all stacks must share both.`);
  return first;
}

async function createData(aws: Aws, resources: Resources): Promise<void> {
  for (const key of readKeys(resources)) await aws.kms.ensureKey(key);
  for (const secret of readSecrets(resources)) await aws.secrets.ensureSecret(secret);
  for (const bucket of readBuckets(resources)) await aws.s3.ensureBucket(bucket);
  for (const table of readTables(resources)) await aws.dynamodb.ensureTable(table);
  for (const { ref } of resources.ofType("AWS::SES::EmailIdentity")) aws.ses.ensureIdentity(ref);
  for (const [name, destinations] of readMailSets(resources)) aws.ses.ensureConfigurationSet(name, destinations);
  for (const [name, destinations] of readTextSets(resources)) aws.sms.ensureConfigurationSet(name, destinations);
}

/** The distribution answers at this machine's address, under any name that the templates give it. */
function useOrigin(functions: FunctionSpec[], resources: Resources, origin: string): void {
  const names = resources.ofType("AWS::CloudFront::Distribution").map(({ attributes }) => `https://${attributes["DomainName"]}`);
  for (const spec of functions)
    spec.env = Object.fromEntries(Object.entries(spec.env).map(([name, value]) => [name, names.includes(value) ? origin : value]));
}

type Watching = { record: RecordMetric; clock: () => number };

type Edge = {
  answer(request: HttpRequest): Promise<HttpResponse>;
  isPage(path: string): boolean;
  /** The distribution as it is after a stack's update. */
  serve(updated: Resources): void;
};

/** All requests go to the distribution, except those whose Host header names an API. */
function edgeOf(resources: Resources, aws: Aws, lambda: Lambda, watching: Watching): Edge {
  const apis = new Map(readApis(resources).map((api) => [api.id, { api, gateway: createGateway(api, lambda.invoke, watching) }]));
  const deployments = readDeployments(resources);
  const distributionsIn = (from: Resources) =>
    readDistributions(from).map((spec) => createDistribution(spec, (origin) => originFor(origin, apis, deployments, aws)));
  const distributions = distributionsIn(resources);
  const [distributionId] = resources.ofType("AWS::CloudFront::Distribution").map(({ ref }) => ref);
  const [onlyApi] = apis.values();
  const first = distributions[0] ?? (onlyApi && { answer: onlyApi.gateway, isPage: () => false });
  if (!first || distributions.length > 1)
    throw new StartError("The synthesized app needs one distribution, or an HTTP API, to answer at the platform's address.");
  let front = first;
  return {
    serve: (updated) => void (front = distributionsIn(updated)[0] ?? front),
    async answer(request) {
      const host = headerOf(request.headers, "host") ?? "";
      const direct = [...apis.values()].find(({ api }) => api.domainName === host);
      if (direct) return direct.gateway(request);
      // Like CloudFront, rejects an unknown host: links in mail contain the host
      if (!isLoopbackHost(host)) return jsonResponse(403, { message: `Nothing is served here under the name ${host}.` });
      const response = await front.answer(request);
      if (distributionId) for (const datum of edgeMetrics(distributionId, response.status)) watching.record(datum);
      return response;
    },
    isPage: (pathname) => front.isPage(pathname),
  };
}

/** Source: "Viewing CloudFront and edge function metrics" in the Amazon CloudFront Developer Guide. */
const edgeMetrics = (DistributionId: string, status: number): Datum[] =>
  [
    ["Requests", 1] as const,
    ["4xxErrorRate", status >= 400 && status < 500 ? 100 : 0] as const,
    ["5xxErrorRate", status >= 500 ? 100 : 0] as const,
  ].map(([name, value]) => ({ namespace: "AWS/CloudFront", name, dimensions: { DistributionId, Region: "Global" }, value }));

type Apis = Map<string, { api: ApiSpec; gateway: (request: HttpRequest) => Promise<HttpResponse> }>;

const edgeAddress = "192.0.2.10";

function originFor({ kind, target }: OriginSpec, apis: Apis, deployments: DeploymentSpec[], aws: Aws): Origin {
  if (kind === "bucket") {
    const objects = deployedObjects(
      deployments.filter(({ bucket }) => bucket === target),
      (key) => aws.s3.get(target, key),
    );
    return { host: `${target}.s3.amazonaws.com`, answer: (request) => bucketResponse(request, objects) };
  }
  const found = apis.get(target);
  if (!found) throw new StartError(`An origin names the API ${target}, which does not run here.`);
  return { host: found.api.domainName, answer: (request) => found.gateway({ ...request, sourceIp: edgeAddress }) };
}

type QueueParts = Pick<CloudOptions, "dataDir" | "asyncRetryMs"> & { lambda: Lambda; failures: FailureQueues };

function startQueue(resources: Resources, functions: FunctionSpec[], { dataDir, asyncRetryMs, lambda, failures }: QueueParts): AsyncQueue {
  const configs = readAsyncConfigs(resources);
  const configOf = (functionArn: string) => configs.get(splitArn(functionArn)[0]) ?? { maxRetries: 0, maxAgeMs: 0 };
  const isStopped = (functionArn: string) =>
    functions.some(({ arn, reservedConcurrency }) => arn === splitArn(functionArn)[0] && reservedConcurrency === 0);
  return openAsyncQueue({ invoke: lambda.invoke, configOf, isStopped, failures, dataDir, retryMs: asyncRetryMs });
}

type TriggerParts = Watching & { aws: Aws; lambda: Lambda; failures: FailureQueues };

function startTriggers(
  schedules: ScheduleTrigger[],
  streamTriggers: StreamTrigger[],
  { aws, lambda, failures, record, clock }: TriggerParts,
) {
  /** Source: "EventBridge metrics" in the Amazon EventBridge User Guide. */
  const start = (trigger: ScheduleTrigger) => {
    record({ namespace: "AWS/Events", name: "Invocations", dimensions: { RuleName: trigger.ruleName }, value: 1 });
    return lambda.invoke(trigger.functionArn, scheduledEvent(trigger));
  };
  const clocks = schedules.map((trigger) => runSchedule(trigger, start));
  const streams = streamTriggers.map((trigger) =>
    runStreamTrigger(trigger, aws.dynamodb.stream(trigger.tableName), {
      invoke: lambda.invoke,
      giveUp: (records, reason) => failures.addBatch(trigger, records, reason),
      clock,
      reportAge: (value) => record({ namespace: "AWS/Lambda", name: "IteratorAge", dimensions: { FunctionName: nameIn(trigger) }, value }),
    }),
  );
  return {
    async runScheduled(functionName: string): Promise<void> {
      const trigger = schedules.find(({ functionArn }) => functionArn.includes(functionName));
      if (!trigger) throw new Error(`No schedule runs a function named like ${functionName}.`);
      const outcome = await start(trigger);
      if (!outcome.ok) throw new Error(`${functionName}: ${outcome.message}`);
    },
    catchUp: async (): Promise<void> => void (await Promise.all(schedules.map(start))),
    drained: async (): Promise<void> => void (await Promise.all(streams.map((stream) => stream.drained()))),
    delivered: (): number => streams.reduce((total, stream) => total + stream.delivered(), 0),
    async close(): Promise<void> {
      for (const clock of clocks) clock.stop();
      await Promise.all(streams.map((stream) => stream.close()));
    },
  };
}
