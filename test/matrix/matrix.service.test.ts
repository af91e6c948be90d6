import { afterAll, beforeAll, expect, test } from "vitest";
import type { Tools } from "../../packages/tools/tools.fixture.ts";
import { differences, expectedMatrix } from "./expected.ts";
import { nameOf, servers, startMatrix, tryServer } from "./matrix.ts";

const expected = expectedMatrix();

let t: Tools;
beforeAll(async () => {
  t = await startMatrix();
}, 60_000);
afterAll(() => t.close());

test.each(servers.map((server) => [nameOf(server), server] as const))(
  "%s: each tool does what is expected of it there, and says what it cannot",
  async (name, server) => {
    expect(differences({ [name]: expected[name] ?? {} }, { [name]: await tryServer(t, server) })).toEqual([]);
  },
);

test("the expected table speaks of these servers and no others", () => {
  expect(Object.keys(expected)).toEqual(servers.map(nameOf));
});
