import { DescribeTableCommand, DynamoDBClient, type CancellationReason, type TransactionCanceledException } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { AppError, envReader, isRetryable } from "@vitaline/core";
import { clientsPerTenant } from "@vitaline/tenant-access";
import * as z from "zod/mini";

const environment = envReader(z.object({ TABLE_NAME: z.string() }));

/** Short timeouts and two retries, because callers wait on the phone. */
const clients = clientsPerTenant<DynamoDBDocumentClient>((session) =>
  DynamoDBDocumentClient.from(
    new DynamoDBClient({ maxAttempts: 3, requestHandler: { connectionTimeout: 500, requestTimeout: 1500 }, ...session }),
    { marshallOptions: { removeUndefinedValues: true } },
  ),
);

/** The table's client; for a tenant's rows, that of the tenant. */
export const table = (tenantId?: string): { client: DynamoDBDocumentClient; name: string } => ({
  client: clients(tenantId),
  name: environment().TABLE_NAME,
});

/** Whether changes of the table are delivered, to the projection and the archive. */
export async function tableHasStream(): Promise<boolean> {
  const { client: sender, name } = table();
  const { Table } = await sender.send(new DescribeTableCommand({ TableName: name }));
  return Table?.StreamSpecification?.StreamEnabled === true;
}

const named = (error: unknown, ...names: string[]): boolean => error instanceof Error && names.includes(error.name);

/** The reason for each item of a cancelled transaction by code: "None", "ConditionalCheckFailed", "TransactionConflict" … */
export const cancellationReasons = (error: unknown): CancellationReason[] | undefined =>
  named(error, "TransactionCanceledException") ? ((error as TransactionCanceledException).CancellationReasons ?? []) : undefined;

export const isConditionFailure = (error: unknown): boolean => named(error, "ConditionalCheckFailedException");

export const isInvalid = (error: unknown): boolean => named(error, "ValidationException");

/** Transient reasons: the same write may be retried. */
const transient = ["TransactionConflict", "ThrottlingError", "ProvisionedThroughputExceeded"];

/** Another transaction holds an item, or the table is throttled. */
export const isConflict = (error: unknown): boolean => {
  if (named(error, "TransactionConflictException")) return true;
  const codes = (cancellationReasons(error) ?? []).map(({ Code = "None" }) => Code).filter((code) => code !== "None");
  return codes.length > 0 && codes.every((code) => transient.includes(code));
};

/** Turns a transient AWS error into AppError `unavailable`; any other error is returned unchanged. */
export const asUnavailable = (error: unknown): unknown =>
  isRetryable(error) || isConflict(error)
    ? new AppError("unavailable", "The platform's database could not be reached. Please try again in a moment.", {
        cause: error,
        retryAfterSeconds: 2,
      })
    : error;
