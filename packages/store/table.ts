import { DynamoDBClient, type CancellationReason, type TransactionCanceledException } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { AppError, envReader, isTemporary } from "@vitaline/core";
import * as z from "zod/mini";

const environment = envReader(z.object({ TABLE_NAME: z.string() }));

let client: DynamoDBDocumentClient | undefined;

/** The table's client, made at first use. Two quick tries per request: a caller on the phone hears every second. */
export function table(): { client: DynamoDBDocumentClient; name: string } {
  client ??= DynamoDBDocumentClient.from(
    new DynamoDBClient({ maxAttempts: 3, requestHandler: { connectionTimeout: 500, requestTimeout: 1500 } }),
    { marshallOptions: { removeUndefinedValues: true } },
  );
  return { client, name: environment().TABLE_NAME };
}

const named = (error: unknown, ...names: string[]): boolean => error instanceof Error && names.includes(error.name);

/** Why each item of a cancelled transaction was refused, by code: "None", "ConditionalCheckFailed", "TransactionConflict" … */
export const cancellationReasons = (error: unknown): CancellationReason[] | undefined =>
  named(error, "TransactionCanceledException") ? ((error as TransactionCanceledException).CancellationReasons ?? []) : undefined;

export const isConditionFailure = (error: unknown): boolean => named(error, "ConditionalCheckFailedException");

/** The request makes no sense to DynamoDB. */
export const isInvalid = (error: unknown): boolean => named(error, "ValidationException");

/** Reasons of a cancellation that pass by themselves; the same write may be sent again. */
const passing = ["TransactionConflict", "ThrottlingError", "ProvisionedThroughputExceeded"];

/** Another transaction holds an item for a moment, or the table takes no more for one. */
export const isConflict = (error: unknown): boolean => {
  if (named(error, "TransactionConflictException")) return true;
  const codes = (cancellationReasons(error) ?? []).map(({ Code = "None" }) => Code).filter((code) => code !== "None");
  return codes.length > 0 && codes.every((code) => passing.includes(code));
};

/** What AWS could not do just now, in our words; everything else passes through as it is. */
export const asUnavailable = (error: unknown): unknown =>
  isTemporary(error) || isConflict(error)
    ? new AppError("unavailable", "The platform's database could not be reached. Please try again in a moment.", {
        cause: error,
        retryAfterSeconds: 2,
      })
    : error;
