import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { expect, test } from "vitest";
import { paginateQuery, paginateScan, TransactWriteCommand, type DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { clientsAt, startEndpoint, tableSpec } from "../endpoint.fixture.ts";

const TableName = "crashed";
const rounds = process.env["FULL"] ? 40 : 5;
const writers = 16;

test(`a process killed in the middle of writing leaves each transaction done or not done (${rounds} kills)`, async () => {
  const folder = mkdtempSync(join(tmpdir(), "crash-test-"));
  const acknowledged = new Set<string>();
  try {
    for (let round = 0; round < rounds; round++) {
      await writeUntilKilled(folder, round, acknowledged);
      await expectConsistent(folder, acknowledged);
    }
    expect(acknowledged.size).toBeGreaterThan(rounds);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

async function writeUntilKilled(folder: string, round: number, acknowledged: Set<string>): Promise<void> {
  const child = fork(join(import.meta.dirname, "crash-child.fixture.ts"), [folder, TableName]);
  const [url] = (await once(child, "message")) as [string];
  const clients = clientsAt(url, "writer");
  const state = { killed: false };
  const work = Array.from({ length: writers }, async (_, writer) => {
    for (let at = 0; !state.killed; at++) {
      const id = `${round}-${writer}-${at}`;
      await transact(clients.table, id).then(
        () => acknowledged.add(id),
        () => undefined,
      );
    }
  });
  const before = acknowledged.size;
  while (acknowledged.size < before + 2) await wait(5);
  await wait(Math.random() * 200);
  const exited = once(child, "exit");
  child.kill("SIGKILL");
  await exited;
  state.killed = true;
  await Promise.all(work);
  clients.destroy();
}

function transact(table: DynamoDBDocumentClient, id: string) {
  const [round, writer] = id.split("-");
  return table.send(
    new TransactWriteCommand({
      TransactItems: [
        { Put: { TableName, Item: { pk: `left#${id}`, sk: "1", id, gpk: "all", gsk: id } } },
        { Put: { TableName, Item: { pk: `right#${id}`, sk: "1", id } } },
        {
          Update: {
            TableName,
            Key: { pk: `count#${round}-${writer}`, sk: "1" },
            UpdateExpression: "ADD written :one",
            ExpressionAttributeValues: { ":one": 1 },
          },
        },
      ],
    }),
  );
}

async function expectConsistent(folder: string, acknowledged: Set<string>): Promise<void> {
  const it = await startEndpoint({ dataDir: folder });
  try {
    await it.aws.dynamodb.ensureTable(tableSpec(TableName));
    const rows: Record<string, unknown>[] = [];
    for await (const { Items = [] } of paginateScan({ client: it.table }, { TableName })) rows.push(...Items);
    const indexed: unknown[] = [];
    const query = { TableName, IndexName: "gsi", KeyConditionExpression: "gpk = :all", ExpressionAttributeValues: { ":all": "all" } };
    for await (const { Items = [] } of paginateQuery({ client: it.table }, query)) indexed.push(...Items.map(({ id }) => id));
    const idsOf = (side: string) => rows.flatMap(({ pk, id }) => (String(pk).startsWith(`${side}#`) ? [String(id)] : [])).toSorted();
    const left = idsOf("left");
    const counted = rows.reduce((total, { written }) => total + Number(written ?? 0), 0);
    const records = await it.aws.dynamodb.stream(TableName).read("reader", Number.MAX_SAFE_INTEGER);
    expect(idsOf("right")).toEqual(left);
    expect(indexed.toSorted()).toEqual(left);
    expect(counted).toBe(left.length);
    expect(records).toHaveLength(3 * left.length);
    expect([...acknowledged].filter((id) => !left.includes(id))).toEqual([]);
  } finally {
    await it.close();
  }
}
