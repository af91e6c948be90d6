import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { ConditionalCheckFailedException } from "@aws-sdk/client-dynamodb";
import { DeleteCommand, PutCommand, TransactWriteCommand, type TransactWriteCommandInput, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { AppError, type Context, isAppError, newId } from "@vitaline/core";
import { conditionOf, create, type Expression, holdsForMissingRow, rowOf, updateOf, type Write } from "./write.ts";
import { asUnavailable, cancellationReasons, isConditionFailure, isConflict, table } from "./table.ts";
import { type AuditCategory, audit as auditKey, type AuditRow, platformAudit } from "../entities/audit.ts";
import type { PrimaryKey, Key, StoreScope } from "../entities/entity.ts";

/** Writes rows and their audit row in one transaction. */
export const commit = async (handle: Handle, writes: Write[], audit: Audit): Promise<void> => {
  const { key, row } = auditRow(handle.author, handle.tenantId, audit);
  const audited = create(key, row);
  for (const write of writes) requireReach(handle, write.key);
  if (writes.length === 0) return void (await writeOne(handle, audited));
  await transact([...writes, audited].map((write) => ({ handle, write })));
};

/** Writes one row without audit, if its entity allows it. */
export const writeUnaudited = async (handle: Handle, write: Write): Promise<Item | undefined> => {
  requireReach(handle, write.key);
  requireUnaudited(handle, write);
  return writeOne(handle, write);
};

/**
 * At most 100 rows without audit in one transaction, each of the tenant that it names, else of the handle's own or the platform's.
 * False when a condition fails.
 */
export const writeAllUnaudited = async (handle: Handle, all: readonly OwnedWrite[]): Promise<boolean> => {
  const placed = all.map(({ tenantId, write }) => ({ handle: tenantId === undefined ? handle : { ...handle, tenantId }, write }));
  for (const { write } of placed) requireUnaudited(handle, write);
  return transact(placed).then(
    () => true,
    (error: unknown) => {
      if (isAppError(error, "duplicate", "stale_version")) return false;
      throw error;
    },
  );
};

const requireUnaudited = (handle: Handle, write: Write): void => {
  const { entity, writeKind } = write.key;
  const isSystem = handle.reach === "platform" && handle.author.actor.kind === "system";
  const isAllowed =
    writeKind === "bookkeeping" || (isSystem && (writeKind === "projected" || (writeKind === "retained" && setsOnlyExpiry(write))));
  if (!isAllowed) throw new Error(`${entity} is not bookkeeping: commit it with its audit`);
};

const setsOnlyExpiry = (write: Write): boolean =>
  write.verb === "update" && Object.keys(write.change).join() === "set" && Object.keys(write.change.set ?? {}).join() === "expiresAt";

/** One write; the row after it, or undefined when its condition fails. */
const writeOne = async (handle: Handle, write: Write): Promise<Item | undefined> => {
  const { client } = tableFor(handle, write.key);
  const item = transactItemOf(handle, write);
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
    const replacement = replacementOfExpired(handle, write, (error as ConditionalCheckFailedException).Item);
    if (!replacement) return undefined;
    // Another writer may have replaced the expired row first; then the update applies to the new row.
    return (await writeOne(handle, replacement)) ?? writeOne(handle, write);
  }
};

/** A write and the handle that it is written with. */
type Placed = { handle: Handle; write: Write };

/** `sent` differs from `wanted` where an update is sent as a put that replaces an expired row. */
const transact = async (wanted: Placed[], sent: Placed[] = wanted): Promise<void> => {
  const request: TransactWriteCommandInput = {
    TransactItems: sent.map(({ handle, write }) => transactItemOf(handle, write)),
    ClientRequestToken: randomUUID(),
  };
  try {
    await retryConflicts(() => tableForAll(sent).client.send(new TransactWriteCommand(request)));
  } catch (error) {
    const reasons = cancellationReasons(error) ?? [];
    const refused = reasons.flatMap(({ Code }, at) => (Code === "ConditionalCheckFailed" ? [at] : []));
    if (refused.length === 0) throw error;
    const isReplacement = (at: number) => sent[at] !== wanted[at];
    // Another writer has replaced the expired row first; the update applies to the new row.
    if (refused.some(isReplacement)) return transact(wanted);
    const next = sent.map((placed, at) => {
      const replacement = refused.includes(at) ? replacementOfExpired(placed.handle, placed.write, reasons[at]?.Item) : undefined;
      return replacement ? { ...placed, write: replacement } : placed;
    });
    const final = refused.find((at) => next[at] === sent[at]);
    if (final !== undefined) throw conditionError(wanted[final]?.write, error);
    await transact(wanted, next);
  }
};

/** A write as an item of TransactWriteItems; single writes use the same parameters. */
const transactItemOf = (handle: Handle, write: Write) => {
  const Key = addressIn(handle, write.key);
  const TableName = table().name;
  const owner = requiredOwner(handle, write.key);
  const guard = { nowMs: handle.author.clock().getTime(), owner };
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
const replacementOfExpired = (handle: Handle, write: Write, old: Item | undefined): Write | undefined => {
  if (write.verb !== "update" || !holdsForMissingRow(write.when) || !old) return undefined;
  const expiresAt = (old["expiresAt"] as { N?: string } | undefined)?.N;
  if (isUnexpired(handle, { expiresAt: expiresAt === undefined ? undefined : Number(expiresAt) })) return undefined;
  return { verb: "put", key: write.key, row: rowOf(write.change, requiredOwner(handle, write.key)), when: { exists: false } };
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

/** The description of an action: ids, codes and counts, never patient data. */
export type Audit = {
  category: AuditCategory;
  action: string;
  resourceType: string;
  resourceId?: string;
  success?: boolean;
  code?: string;
  callKey?: string;
  patients?: AuditRow["patients"];
  detail?: Record<string, string | number | boolean>;
};

/** The part of the context that audit rows need. */
export type AuditSource = Pick<Context, "actor" | "requestId" | "clientAddress" | "clock">;

const retentionSeconds = 7 * 365.25 * 86_400;

/** The audit row of an action, in the tenant's log, or in the platform's without `tenantId`. */
function auditRow(author: AuditSource, tenantId: string | undefined, audit: Audit): { key: Key<AuditRow>; row: AuditRow } {
  const now = author.clock();
  const id = newId(now.getTime());
  const at = now.toISOString();
  const month = at.slice(0, 7);
  const { actor } = author;
  const row: AuditRow = {
    success: true,
    ...audit,
    // A system administrator who views a tenant is named together with the tenant.
    ...(actor.kind === "user" && actor.viewAs
      ? { detail: { ...audit.detail, viewAs: actor.viewAs, ...(actor.name && { viewAsBy: actor.name }) } }
      : {}),
    id,
    at,
    tenantId,
    actorKind: actor.kind,
    actorId: actor.id,
    ...(tenantId !== undefined && actor.kind === "user" && actor.role === "system_admin" && { actorRole: actor.role }),
    clientAddress: author.clientAddress,
    requestId: author.requestId,
    expiresAt: Math.floor(now.getTime() / 1000 + retentionSeconds),
  };
  return { key: tenantId ? auditKey(month, audit.category, id) : platformAudit(month, audit.category, id), row };
}

/** A write of one tenant's row, or of the platform's. */
export type OwnedWrite = { tenantId?: string; write: Write };

/** What a store handle reaches: its tenant's rows, every row, or those of some scopes. */
export type HandleReach = "tenant" | "platform" | readonly StoreScope[];
export type Handle = { author: AuditSource; tenantId?: string; reach: HandleReach };

export type Item = Record<string, unknown>;

export const addressIn = ({ tenantId }: Handle, key: Key<unknown>): PrimaryKey => {
  if (key.scope !== "tenant") return key.primaryKey;
  if (tenantId === undefined) throw new Error(`${key.entity} needs a tenant's handle`);
  return key.primaryKeyIn(tenantId);
};

/** The table by the rights that a row needs: a tenant's rows, and the lookups of a tenant, by the tenant's session. */
export const tableFor = ({ tenantId }: Handle, key: Key<unknown>): ReturnType<typeof table> =>
  table(key.scope === "tenant" ? tenantId : undefined);

/** A transaction is sent with one right: the tenant's if it has a row of a tenant. */
const tableForAll = (placed: readonly Placed[]): ReturnType<typeof table> =>
  table(placed.find(({ write }) => write.key.scope === "tenant")?.handle.tenantId);

export const requireReach = ({ reach }: Handle, key: Key<unknown>): void => {
  if (reach === "platform") return;
  if (reach === "tenant") {
    if (key.scope !== "tenant") throw new Error(`${key.entity} is not a tenant's row`);
    return;
  }
  const isReached = reach.some((scope) => (key.scope === "tenant" ? key.sharedWith?.[scope] : key.scope === scope));
  if (!isReached) throw new Error(`${key.entity} is outside this handle's scopes`);
};

/** The tenant that must own a lookup row. */
const requiredOwner = (handle: Handle, key: Key<unknown>): string | undefined =>
  key.scope === "tenant" && key.isOutsideTenantPartition ? handle.tenantId : undefined;

/** Expired rows are absent, also while TTL has not deleted them yet. */
export const isUnexpired = (handle: Handle, row: Item | undefined): boolean =>
  row !== undefined && !(typeof row["expiresAt"] === "number" && row["expiresAt"] * 1000 <= handle.author.clock().getTime());

export const withoutKeys = (item: Item): Item => {
  const { pk: _pk, sk: _sk, ...row } = item;
  return row;
};
