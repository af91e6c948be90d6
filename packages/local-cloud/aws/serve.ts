import type { IncomingMessage } from "node:http";
import { inspect } from "node:util";
import { setTimeout as wait } from "node:timers/promises";
import type { createUsageLog, Engine } from "./dynamodb/index.ts";
import { serveAcm, serveLambdaAccount, serveMailAccount, serveTextsAccount } from "./account/json-services.ts";
import type { AccountState } from "./account/state.ts";
import { queryOperation, route53OperationName, serveRoute53, serveSns } from "./account/xml-services.ts";
import { authorize, type Caller } from "./iam/authorize.ts";
import { AwsError, errorAnswer, jsonAnswer } from "./http/respond.ts";
import { type KeyStore, KMS_OPERATIONS } from "./kms/index.ts";
import { readBody, readJson } from "./http/request.ts";
import type { Bucket } from "./s3/object-store.ts";
import { s3OperationName } from "./s3/operations.ts";
import type { SecretStore } from "./secrets/index.ts";
import type { MailStore } from "./ses/mail-store.ts";
import { serveDynamo } from "./services/dynamodb.ts";
import { s3Location, serveS3 } from "./services/s3.ts";
import { serveSecrets } from "./services/secretsmanager.ts";
import { serveSes, sesOperationName } from "./services/ses.ts";
import { serveSms } from "./services/sms.ts";
import { serveSts } from "./services/sts.ts";
import type { TextStore } from "./sms/text-store.ts";
import { checkSession, type Sessions } from "./sts/sessions.ts";
import { checkExpiry, checkSignature, readSignature, type Signed } from "./http/signature.ts";
import type { Answer, AwsOptions, Fault } from "./types.ts";
import type { Datum } from "./cloudwatch/metrics.ts";

const throttles = ["ProvisionedThroughputExceededException", "ThrottlingException", "RequestLimitExceeded"];
const reading = /^(GetItem|BatchGetItem|Query|Scan|TransactGetItems)$/;

type Asked = { TableName?: string; RequestItems?: object; TransactItems?: Record<string, { TableName?: string }>[] };

/** What DynamoDB counts for a refused request, by table. Source: "DynamoDB metrics and dimensions" in the Amazon DynamoDB Developer Guide. */
function throttleMetrics(operation: string, body: Buffer | undefined, error: unknown): Datum[] {
  if (!(error instanceof AwsError) || !throttles.includes(error.code)) return [];
  const name = reading.test(operation) ? "ReadThrottleEvents" : "WriteThrottleEvents";
  return tablesOf(body).map((TableName) => ({ namespace: "AWS/DynamoDB", name, dimensions: { TableName }, value: 1 }));
}

function tablesOf(body: Buffer | undefined): string[] {
  const { TableName, RequestItems = {}, TransactItems = [] } = JSON.parse(body?.toString() || "{}") as Asked;
  const named = TransactItems.flatMap((item) => Object.values(item).map((part) => part.TableName));
  return [...new Set([TableName, ...Object.keys(RequestItems), ...named])].filter((table) => table !== undefined);
}

export type Parts = {
  account: AccountState;
  engine: Engine;
  keys: KeyStore;
  secrets: SecretStore;
  mails: MailStore;
  texts: TextStore;
  buckets: Map<string, Bucket>;
  usage: ReturnType<typeof createUsageLog>;
  sessions: Sessions;
  options: AwsOptions;
};

const TARGETS: Record<string, string> = {
  dynamodb: "DynamoDB_20120810.",
  acm: "CertificateManager.",
  kms: "TrentService.",
  secretsmanager: "secretsmanager.",
  "sms-voice": "PinpointSMSVoiceV2.",
};

/** Errors become answers; "cut" tells the server to destroy the connection. */
export async function serve(parts: Parts, request: IncomingMessage): Promise<Answer | "cut"> {
  const url = new URL(request.url ?? "/", "http://endpoint");
  const by = readSignature(request, url);
  const service = by?.service ?? "";
  let operation = "";
  let body: Buffer | undefined;
  try {
    const caller = identify(parts, by);
    operation = operationOf(service, request, url);
    if (isQuery(service)) {
      body = await readBody(request);
      operation = queryOperation(body);
    }
    const fault = await parts.options.fault?.({ service, operation, principalArn: caller.principal.arn });
    if (fault === "drop") return "cut";
    body ??= service === "s3" ? undefined : await readBody(request);
    await applyFault(fault);
    checkSignature(request, url, body, by!, caller.principal);
    checkSession(caller.principal, sessionToken(request, url), service);
    checkExpiry(by!);
    const answer = await dispatch(parts, { caller, service, operation, request, url, body: body ?? Buffer.alloc(0) });
    return fault === "after" ? "cut" : answer;
  } catch (error) {
    if (request.destroyed && !request.complete) return "cut";
    if (service === "dynamodb") for (const datum of throttleMetrics(operation, body, error)) parts.options.record?.(datum);
    if (!(error instanceof AwsError)) process.stderr.write(`${service} failed: ${inspect(error)}\n`);
    return errorAnswer(service, error);
  }
}

function sessionToken(request: IncomingMessage, { searchParams }: URL): string | undefined {
  const header = request.headers["x-amz-security-token"];
  return typeof header === "string" ? header : (searchParams.get("X-Amz-Security-Token") ?? undefined);
}

function identify({ options, sessions }: Parts, by: Signed | undefined): Caller {
  if (!by) throw new AwsError(403, "MissingAuthenticationToken", "Request is missing Authentication Token");
  const principal = options.principals(by.accessKeyId) ?? sessions.find(by.accessKeyId);
  if (!principal) throw unknownKey(by.service);
  return { principal, account: options.account, region: options.region };
}

function unknownKey(service: string): AwsError {
  if (service === "s3") return new AwsError(403, "InvalidAccessKeyId", "The AWS Access Key Id you provided does not exist in our records.");
  return new AwsError(400, "UnrecognizedClientException", "The security token included in the request is invalid.");
}

function operationOf(service: string, request: IncomingMessage, url: URL): string {
  const method = request.method ?? "GET";
  if (service === "s3") return s3OperationName(method, s3Location(url).key, url.searchParams) ?? `${method} ${url.pathname}`;
  if (service === "ses") return sesOperationName(method, url.pathname) ?? `${method} ${url.pathname}`;
  if (service === "route53") return route53OperationName(method, url.pathname) ?? `${method} ${url.pathname}`;
  const target = request.headers["x-amz-target"];
  if (typeof target !== "string") return `${method} ${url.pathname}`;
  const prefix = TARGETS[service] ?? "";
  return target.startsWith(prefix) ? target.slice(prefix.length) : target;
}

async function applyFault(fault: Fault): Promise<void> {
  if (typeof fault !== "object") return;
  if ("delayMs" in fault) await wait(fault.delayMs);
  else throw new AwsError(fault.status, fault.code, fault.message);
}

const isQuery = (service: string): boolean => service === "sts" || service === "sns";

/** What serves a question about the account. */
function accountService(service: string, operation: string, { pathname }: URL): typeof serveSns | undefined {
  if (service === "lambda") return pathname.startsWith("/2016-08-19/account-settings") ? serveLambdaAccount : undefined;
  if (service === "ses") return ["GetAccount", "GetEmailIdentity"].includes(operation) ? serveMailAccount : undefined;
  if (service === "sms-voice") return /^Describe(?!OptedOut)/.test(operation) ? serveTextsAccount : undefined;
  return { sns: serveSns, route53: serveRoute53, acm: serveAcm }[service];
}

type Request = { caller: Caller; service: string; operation: string; request: IncomingMessage; url: URL; body: Buffer };

async function dispatch(parts: Parts, asked: Request): Promise<Answer> {
  const { caller, service, operation, request, url, body } = asked;
  if (service === "dynamodb") return serveDynamo(parts, { caller, operation, body, trace: traceOf(request) });
  if (service === "kms") return serveKms(parts.keys, asked);
  if (service === "secretsmanager") return serveSecrets(parts, asked);
  if (service === "s3") return serveS3(parts, asked);
  if (service === "sts") return serveSts(parts, asked);
  const { publish = () => {} } = parts.options;
  const ofAccount = accountService(service, operation, url);
  if (ofAccount) return ofAccount(parts.account, asked);
  if (service === "ses") return serveSes(parts.mails, { ...asked, publish });
  if (service === "sms-voice") return serveSms(parts.texts, { ...asked, publish });
  const added = parts.options.services?.[service];
  if (!added) throw new AwsError(400, "UnknownServiceException", `The service ${service} is not supported here`);
  return added({
    request,
    url,
    operation,
    body,
    principal: caller.principal,
    authorize: (access) => authorize(caller, access, "AccessDeniedException", 403),
  });
}

function traceOf(request: IncomingMessage): string | undefined {
  const header = request.headers["x-amzn-trace-id"];
  if (typeof header === "string") return header;
  return /\btrace\/(\S+)/.exec(request.headers["user-agent"] ?? "")?.[1];
}

async function serveKms(
  store: KeyStore,
  { caller, operation, body }: { caller: Caller; operation: string; body: Buffer },
): Promise<Answer> {
  const run = KMS_OPERATIONS[operation];
  if (!run) throw new AwsError(400, "UnknownOperationException", `The operation ${operation} is not supported here`);
  return jsonAnswer("kms", await run({ store, input: readJson(body), authorize: (access) => authorize(caller, access) }));
}
