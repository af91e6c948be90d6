import { InvokeCommand, LambdaClient } from "@aws-sdk/client-lambda";
import { asUnavailable } from "./unavailable.ts";

/** For an answer that is waited for: as long as a request to the API may take, and without a second try, as the first may have been done. */
const askMs = 15_000;

let client: LambdaClient | undefined;
const lambda = (): LambdaClient =>
  (client ??= new LambdaClient({ maxAttempts: 3, requestHandler: { connectionTimeout: 1000, requestTimeout: 5000 } }));

/** Has another function begin, and does not wait for it. `name` as Lambda knows it. AppError `unavailable`. */
export async function startFunction(name: string, payload: Record<string, unknown>): Promise<void> {
  await lambda()
    .send(new InvokeCommand({ FunctionName: name, InvocationType: "Event", Payload: JSON.stringify(payload) }))
    .catch((error: unknown) => {
      throw asUnavailable(error);
    });
}

let asking: LambdaClient | undefined;
const patientLambda = (): LambdaClient =>
  (asking ??= new LambdaClient({ maxAttempts: 1, requestHandler: { connectionTimeout: 1000, requestTimeout: askMs } }));

/** What another function answers to an event, as JSON. AppError `unavailable` when it does not, or failed. */
export async function askFunction(name: string, event: Record<string, unknown>): Promise<unknown> {
  const { FunctionError, Payload } = await patientLambda()
    .send(new InvokeCommand({ FunctionName: name, InvocationType: "RequestResponse", Payload: JSON.stringify(event) }))
    .catch((error: unknown) => {
      throw asUnavailable(error);
    });
  if (FunctionError !== undefined || !Payload) throw asUnavailable(new Error("The function failed"));
  return JSON.parse(Payload.transformToString()) as unknown;
}
