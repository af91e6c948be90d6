import { InvokeCommand, LambdaClient } from "@aws-sdk/client-lambda";
import { asUnavailable } from "./unavailable.ts";

/** The longest API request. Without retries, because the first attempt may have been executed. */
const invokeTimeoutMs = 15_000;

let client: LambdaClient | undefined;
const lambda = (): LambdaClient =>
  (client ??= new LambdaClient({ maxAttempts: 3, requestHandler: { connectionTimeout: 1000, requestTimeout: 5000 } }));

/** Invokes a function asynchronously. AppError `unavailable`. */
export async function invokeAsync(name: string, payload: Record<string, unknown>): Promise<void> {
  await lambda()
    .send(new InvokeCommand({ FunctionName: name, InvocationType: "Event", Payload: JSON.stringify(payload) }))
    .catch((error: unknown) => {
      throw asUnavailable(error);
    });
}

let syncClient: LambdaClient | undefined;
const lambdaWithoutRetries = (): LambdaClient =>
  (syncClient ??= new LambdaClient({ maxAttempts: 1, requestHandler: { connectionTimeout: 1000, requestTimeout: invokeTimeoutMs } }));

/** Invokes a function and returns its response as JSON. AppError `unavailable`, also when the function failed. */
export async function invokeFunction(name: string, event: Record<string, unknown>): Promise<unknown> {
  const { FunctionError, Payload } = await lambdaWithoutRetries()
    .send(new InvokeCommand({ FunctionName: name, InvocationType: "RequestResponse", Payload: JSON.stringify(event) }))
    .catch((error: unknown) => {
      throw asUnavailable(error);
    });
  if (FunctionError !== undefined || !Payload) throw asUnavailable(new Error("The function failed"));
  return JSON.parse(Payload.transformToString()) as unknown;
}
