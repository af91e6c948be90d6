import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { ConditionalCheckFailedException } from "@aws-sdk/client-dynamodb";
import { DeleteCommand, PutCommand, TransactWriteCommand, UpdateCommand, type TransactWriteCommandInput } from "@aws-sdk/lib-dynamodb";
import { AppError } from "@vitaline/core";
import { auditRow, type Audit } from "./audit.ts";
import { conditionOf, holdsForMissingRow, rowOf, updateOf, type Expression } from "./expressions.ts";
import { addressIn, isLive, requiredOwner, withoutKeys, type Item, type Scope } from "./scope.ts";
import { asUnavailable, cancellationReasons, isConditionFailure, isConflict, table } from "./table.ts";
import { put, type Write } from "./write.ts";

/** Writes rows and their audit row in one transaction. */
export const commit = async (scope: Scope, writes: Write[], audit: Audit): Promise<void> => {
  const { key, row } = auditRow(scope.author, scope.tenantId, audit);
  const audited = put(key, row);
  if (writes.length === 0) return void (await writeOne(scope, audited));
  await transact(scope, writes, audited);
};

/** Writes one row without audit, if its entity allows it. */
export const writeUnaudited = async (scope: Scope, write: Write): Promise<Item | undefined> => {
  const { entity, writes } = write.key;
  const isSystem = scope.platform && scope.author.actor.kind === "system";
  const isAllowed = writes === "bookkeeping" || (isSystem && (writes === "projected" || (writes === "retained" && setsOnlyExpiry(write))));
  if (!isAllowed) throw new Error(`${entity} is not bookkeeping: commit it with its audit`);
  return writeOne(scope, write);
};

const setsOnlyExpiry = (write: Write): boolean =>
  write.verb === "update" && Object.keys(write.change).join() === "set" && Object.keys(write.change.set ?? {}).join() === "expiresAt";

/** One write; the row after it, or undefined when its condition fails. */
const writeOne = async (scope: Scope, write: Write): Promise<Item | undefined> => {
  const { client } = table();
  const item = transactItemOf(scope, write);
  try {
    return await retryConflicts(async () => {
      if (item.Put) return (await client.send(new PutCommand(item.Put)), (write as { row: Item }).row);
      if (item.Delete) return (await client.send(new DeleteCommand(item.Delete)), {});
      if (!item.Update) throw new Error("A check alone writes nothing");
      const { Attributes } = await client.send(new UpdateCommand({ ...item.Update, ReturnValues: "ALL_NEW" }));
      return withoutKeys(Attributes ?? {});
    });
  } catch (error) {
    if (!isConditionFailure(error)) throw error;
    const replacement = replacementOfExpired(scope, write, (error as ConditionalCheckFailedException).Item);
    if (!replacement) return undefined;
    // Another writer may have replaced the expired row first; then the update applies to the new row.
    return (await writeOne(scope, replacement)) ?? writeOne(scope, write);
  }
};

/** `sent` differs from `writes` where an update is sent as a put that replaces an expired row. */
const transact = async (scope: Scope, writes: Write[], audited: Write, sent: Write[] = writes): Promise<void> => {
  const request: TransactWriteCommandInput = {
    TransactItems: [...sent, audited].map((write) => transactItemOf(scope, write)),
    ClientRequestToken: randomUUID(),
  };
  try {
    await retryConflicts(() => table().client.send(new TransactWriteCommand(request)));
  } catch (error) {
    const reasons = cancellationReasons(error) ?? [];
    const refused = reasons.flatMap(({ Code }, at) => (Code === "ConditionalCheckFailed" ? [at] : []));
    if (refused.length === 0) throw error;
    const isReplacement = (at: number) => sent[at] !== writes[at];
    // Another writer has replaced the expired row first; the update applies to the new row.
    if (refused.some(isReplacement)) return transact(scope, writes, audited);
    const next = sent.map((write, at) => (refused.includes(at) && replacementOfExpired(scope, write, reasons[at]?.Item)) || write);
    const final = refused.find((at) => next[at] === sent[at]);
    if (final !== undefined) throw conditionError(writes[final], error);
    await transact(scope, writes, audited, next);
  }
};

/** A write as an item of TransactWriteItems; single writes use the same parameters. */
const transactItemOf = (scope: Scope, write: Write) => {
  const Key = addressIn(scope, write.key);
  const TableName = table().name;
  const owner = requiredOwner(scope, write.key);
  const guard = { nowMs: scope.author.clock().getTime(), owner };
  const conditionParameters = ({ expression, names, values }: Expression) => ({
    ConditionExpression: expression,
    ExpressionAttributeNames: Object.keys(names).length ? names : undefined,
    ExpressionAttributeValues: Object.keys(values).length ? values : undefined,
  });
  const condition = () => conditionParameters(conditionOf(write.when, guard));
  switch (write.verb) {
    case "put":
      return { Put: { TableName, Item: { ...write.row, ...(owner ? { tenantId: owner } : {}), ...Key }, ...condition() } };
    case "delete":
      return { Delete: { TableName, Key, ...condition() } };
    case "check":
      return { ConditionCheck: { TableName, Key, ...(condition() as Required<ReturnType<typeof condition>>) } };
    case "update": {
      const expression = updateOf(write.change, write.when, guard);
      return {
        Update: {
          TableName,
          Key,
          UpdateExpression: expression.update,
          ...conditionParameters(expression),
          ReturnValuesOnConditionCheckFailure: "ALL_OLD" as const,
        },
      };
    }
  }
};

/**
 * An expired row that TTL has not deleted yet counts as absent: an update that was refused because of one becomes a put that
 * replaces the whole row. undefined when the update was refused for another reason.
 */
const replacementOfExpired = (scope: Scope, write: Write, old: Item | undefined): Write | undefined => {
  if (write.verb !== "update" || !holdsForMissingRow(write.when) || !old) return undefined;
  const expiresAt = (old["expiresAt"] as { N?: string } | undefined)?.N;
  if (isLive(scope, { expiresAt: expiresAt === undefined ? undefined : Number(expiresAt) })) return undefined;
  return { verb: "put", key: write.key, row: rowOf(write.change, requiredOwner(scope, write.key)), when: { exists: false } };
};

const maxConflictRetries = 5;

/** Retries while another transaction holds an item: full jitter, five retries, then AppError `unavailable`. */
const retryConflicts = async <T>(send: () => Promise<T>): Promise<T> => {
  for (let attempt = 0; ; attempt++) {
    try {
      return await send();
    } catch (error) {
      if (!isConflict(error)) throw asUnavailable(error);
      if (attempt === maxConflictRetries)
        throw new AppError("unavailable", "The platform is busy with the same record. Please try again in a moment.", {
          cause: error,
          retryAfterSeconds: 1,
        });
      await sleep(Math.random() * 20 * 2 ** attempt);
    }
  }
};

const conditionError = (refused: Write | undefined, cause: unknown): AppError =>
  refused?.when?.exists === false
    ? new AppError("duplicate", "This already exists.", { cause })
    : new AppError("stale_version", "This was changed by another user in the meantime. Reload it and try again.", { cause });
