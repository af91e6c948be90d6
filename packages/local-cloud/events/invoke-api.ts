import type { Answer, Service } from "../aws/index.ts";
import { AwsError } from "../aws/http/respond.ts";
import type { Lambda } from "../lambda/index.ts";
import { payloadLimitBytes } from "../lambda/protocol.ts";
import type { AsyncQueue } from "./async-queue.ts";

type Options = {
  /** Those of aliases and versions too. */
  functionArns: string[];
  invoke: Lambda["invoke"];
  queue: Pick<AsyncQueue, "add">;
};

const asyncLimitBytes = 1024 * 1024;

/** Invoke of the Lambda API. Source: "Invoke" in the Lambda API reference. */
export const invokeApi =
  ({ functionArns, invoke, queue }: Options): Service =>
  async ({ request, url, body, authorize }) => {
    const name = decodeURIComponent(/^\/2015-03-31\/functions\/([^/]+)\/invocations$/.exec(url.pathname)?.[1] ?? "");
    if (request.method !== "POST" || name === "")
      throw new AwsError(404, "UnknownOperationException", "This operation is not supported here");
    const asked = name.startsWith("arn:") ? name : `${functionArns[0]?.split(":").slice(0, 6).join(":")}:${name}`;
    authorize({ action: "lambda:InvokeFunction", resource: asked });
    const functionArn = functionArns.find((arn) => arn === asked);
    if (!functionArn) throw new AwsError(404, "ResourceNotFoundException", `Function not found: ${asked}`);
    const payload = readPayload(body);
    switch (request.headers["x-amz-invocation-type"] ?? "RequestResponse") {
      case "DryRun":
        return { status: 204 };
      case "Event":
        checkSize(body, asyncLimitBytes);
        return { status: 202, headers: { "x-amzn-requestid": queue.add(functionArn, payload) } };
      case "RequestResponse":
        checkSize(body, payloadLimitBytes);
        return answerOf(await invoke(functionArn, JSON.parse(payload)));
      default:
        throw new AwsError(400, "InvalidParameterValueException", "The invocation type must be Event, RequestResponse or DryRun.");
    }
  };

function answerOf(outcome: Awaited<ReturnType<Lambda["invoke"]>>): Answer {
  const headers = { "content-type": "application/json", "x-amz-executed-version": outcome.executedVersion ?? "$LATEST" };
  if (outcome.ok) return { headers, body: outcome.payload };
  if (outcome.reason === "throttled")
    throw new AwsError(429, "TooManyRequestsException", outcome.message, { Reason: "ReservedFunctionConcurrentInvocationLimitExceeded" });
  const body = JSON.stringify({ errorMessage: outcome.message.split("\n")[0], errorType: outcome.reason });
  return { headers: { ...headers, "x-amz-function-error": "Unhandled" }, body };
}

function readPayload(body: Buffer): string {
  const text = body.length > 0 ? body.toString() : "{}";
  try {
    JSON.parse(text);
  } catch {
    throw new AwsError(400, "InvalidRequestContentException", "Could not parse request body into json.");
  }
  return text;
}

function checkSize(body: Buffer, limit: number): void {
  if (body.length > limit)
    throw new AwsError(
      413,
      "RequestTooLargeException",
      `${body.length} byte payload is too large for this invocation type (limit ${limit} bytes)`,
    );
}
