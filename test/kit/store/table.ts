import { isDeepStrictEqual } from "node:util";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { HeadObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { DeleteCommand, DynamoDBDocumentClient, GetCommand, paginateQuery, paginateScan, PutCommand } from "@aws-sdk/lib-dynamodb";

export type Row = {
  pk: string;
  sk: string;
  id?: string;
  status?: string;
  callKey?: string;
  requestId?: string;
  lookupHash?: string;
  apiKeyId?: string;
  fhirProviderId?: string;
} & Record<string, unknown>;
type Local = { awsUrl: string; region: string; tableName: string; accessKeyId: string; secretAccessKey: string };

export function openTable(dataDir: string) {
  const { awsUrl, region, tableName, ...credentials } = JSON.parse(readFileSync(path.join(dataDir, "local.json"), "utf8")) as Local;
  const place = { endpoint: awsUrl, region, credentials };
  const database = new DynamoDBClient(place);
  const client = DynamoDBDocumentClient.from(database);
  const files = new S3Client({ ...place, forcePathStyle: true });
  const bucket = readdirSync(path.join(dataDir, "s3")).find((name) => name.includes("-files"));
  return {
    /** Rows whose partition key starts with `beginning`. A shared platform has tens of thousands of rows. */
    async rows(beginning = ""): Promise<Row[]> {
      const rows: Row[] = [];
      const filter = beginning
        ? { FilterExpression: "begins_with(pk, :beginning)", ExpressionAttributeValues: { ":beginning": beginning } }
        : {};
      for await (const { Items = [] } of paginateScan({ client }, { TableName: tableName, ConsistentRead: true, ...filter }))
        rows.push(...(Items as Row[]));
      return rows;
    },
    async partition(pk: string): Promise<Row[]> {
      const rows: Row[] = [];
      const asked = { KeyConditionExpression: "pk = :pk", ExpressionAttributeValues: { ":pk": pk } };
      for await (const { Items = [] } of paginateQuery({ client }, { TableName: tableName, ConsistentRead: true, ...asked }))
        rows.push(...(Items as Row[]));
      return rows;
    },
    async row(key: { pk: string; sk: string }): Promise<Row | undefined> {
      const { Item } = await client.send(new GetCommand({ TableName: tableName, Key: key, ConsistentRead: true }));
      return Item as Row | undefined;
    },
    put: (row: Row) => client.send(new PutCommand({ TableName: tableName, Item: row })),
    remove: ({ pk, sk }: Row) => client.send(new DeleteCommand({ TableName: tableName, Key: { pk, sk } })),
    async bytesOfFile(key: string): Promise<number | undefined> {
      const { ContentLength } = await files.send(new HeadObjectCommand({ Bucket: bucket, Key: key })).catch((error: Error) => {
        if (error.name !== "NotFound") throw error;
        return { ContentLength: undefined };
      });
      return ContentLength;
    },
    close() {
      database.destroy();
      files.destroy();
    },
  };
}

export async function readRows(dataDir: string, beginning?: string): Promise<Row[]> {
  const table = openTable(dataDir);
  try {
    return await table.rows(beginning);
  } finally {
    table.close();
  }
}

/** Makes the traces of interrupted requests `seconds` older, as if that time had passed. */
export async function ageInterruptedWork(dataDir: string, seconds = 60): Promise<void> {
  const table = openTable(dataDir);
  for (const row of await table.rows()) {
    const aged = agedBy(row, seconds);
    if (!isDeepStrictEqual(aged, row)) await table.put(aged);
  }
  table.close();
}

/** Claims stand in a row of their own or, by owner, in the attributes of another. */
function agedBy(row: Row, seconds: number): Row {
  const older = (value: unknown, name: string): unknown => {
    if (name === "expiresAt") return row.sk === "LOCK" ? Number(value) - seconds : value;
    if (name === "startedAtMs") return row.sk === "IDEMPOTENCY" && row.status !== "done" ? Number(value) - seconds * 1000 : value;
    if (name === "leaseUntilMs" || name === "lockedAtMs") return Number(value) - seconds * 1000;
    const isClaim = typeof value === "object" && value !== null && "lockedAtMs" in value && !("settled" in value);
    return isClaim ? { ...value, lockedAtMs: Number(value.lockedAtMs) - seconds * 1000 } : value;
  };
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, older(value, name)])) as Row;
}

const auditPartition = /^(?:PLATFORM|TENANT#[0-9a-z]+)#AUDIT#/;

export const auditsIn = (rows: Row[]): (Row & Audited)[] => rows.filter(({ pk }) => auditPartition.test(pk)) as (Row & Audited)[];

export type Audited = {
  id: string;
  action: string;
  resourceId?: string;
  tenantId?: string;
  success: boolean;
  code?: string;
  requestId: string;
  callKey?: string;
  actorId: string;
  detail?: Record<string, string | number | boolean>;
};
