import { afterAll, beforeAll, expect, test } from "vitest";
import type { Tools } from "../../packages/tools/test/tools.fixture.ts";
import { differences, expectedMatrix, expectedRequests, requestDifferences } from "./expected.ts";
import { nameOf, servers, startMatrix, tryServer } from "./matrix.ts";

const expected = expectedMatrix();
const requests = expectedRequests();

let t: Tools;
beforeAll(async () => {
  t = await startMatrix();
}, 60_000);
afterAll(() => t.close());

test.each(servers.map((server) => [nameOf(server), server] as const))(
  "%s: each tool does what the table expects, reports what it does not support, and makes the stated requests",
  async (name, server) => {
    const { support, counts } = await tryServer(t, server);
    expect(differences({ [name]: expected[name] ?? {} }, { [name]: support })).toEqual([]);
    expect(requestDifferences(requests, { [name]: counts })).toEqual([]);
  },
);

test("a search for slots makes at most four requests at each server, besides further pages and days", () => {
  for (const server of Object.values(requests)) expect(server["scheduleAppointment find"] ?? 0).toBeLessThanOrEqual(4);
});

test("the expected tables list exactly these servers", () => {
  expect(Object.keys(expected)).toEqual(servers.map(nameOf));
  expect(Object.keys(requests)).toEqual(servers.map(nameOf));
});
