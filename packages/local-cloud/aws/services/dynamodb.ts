import { type Capacity, type createUsageLog, type Engine, OPERATIONS, type TableAccess } from "../dynamodb/index.ts";
import { authorize, type Caller } from "../iam/authorize.ts";
import { AwsError, jsonAnswer } from "../http/respond.ts";
import { type KeyStore, viaService } from "../kms/index.ts";
import { readJson } from "../http/request.ts";
import type { AccessRequest, Answer, Item } from "../types.ts";

type Parts = { engine: Engine; keys: KeyStore; usage: ReturnType<typeof createUsageLog> };
export type DynamoRequest = { caller: Caller; operation: string; body: Buffer; trace?: string };

/** Checks IAM for each table and item and the caller's right to the table's key, and records the consumed capacity. */
export async function serveDynamo({ engine, keys, usage }: Parts, { caller, operation, body, trace }: DynamoRequest): Promise<Answer> {
  const run = OPERATIONS[operation];
  if (!run) throw new AwsError(400, "UnknownOperationException", `The operation ${operation} is not supported here`);
  const spent: Capacity[] = [];
  const log = { operation, principalArn: caller.principal.arn, trace };
  try {
    const output = await run(engine, {
      input: readJson(body),
      authorize: (accesses) => accesses.forEach((access) => authorizeTable({ engine, keys, caller }, access)),
      spend: (...parts) => void spent.push(...parts),
    });
    usage.add(log, spent);
    return jsonAnswer("dynamodb", output);
  } catch (error) {
    usage.add({ ...log, error: error instanceof AwsError ? error.code : "InternalServerError" }, spent);
    throw error;
  }
}

type Asked = { engine: Engine; keys: KeyStore; caller: Caller };

function authorizeTable({ engine, keys, caller }: Asked, access: TableAccess): void {
  authorize(caller, accessRequest(engine, access));
  const tableKey = access.keys || access.hash ? engine.tables.get(access.table ?? "")?.SSEDescription?.KMSMasterKeyArn : undefined;
  if (!tableKey) return;
  const context = { "aws:dynamodb:tableName": access.table!, "aws:dynamodb:subscriberId": caller.account };
  authorize(caller, viaService(keys, tableKey, { action: "Decrypt", service: "dynamodb", region: caller.region, context }));
}

/** Source: "Actions, resources, and condition keys for Amazon DynamoDB" in the Service Authorization Reference. */
function accessRequest(engine: Engine, { action, table, index, keys, hash, enclosing }: TableAccess): AccessRequest {
  const arn = `arn:aws:dynamodb:${engine.region}:${engine.account}:table/${table}`;
  return {
    action: `dynamodb:${action}`,
    resource: table === undefined ? "*" : index === undefined ? arn : `${arn}/index/${index}`,
    context: {
      "dynamodb:LeadingKeys": hash ? leadingValues([hash]) : keys && leadingValues(keys, hashAttribute(engine, table)),
      "dynamodb:EnclosingOperation": enclosing,
    },
  };
}

function hashAttribute(engine: Engine, table: string | undefined): string | undefined {
  return engine.tables.get(table ?? "")?.KeySchema[0]?.AttributeName;
}

function leadingValues(items: Item[], attribute?: string): string[] {
  const values = items.map((item) => item[attribute ?? Object.keys(item)[0] ?? ""]);
  return [...new Set(values.map((value) => value?.S ?? value?.N ?? value?.B ?? ""))];
}
