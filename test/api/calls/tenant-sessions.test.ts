import { afterAll, beforeAll, expect, test } from "vitest";
import { sharedPlatform, type TestPlatform } from "../../kit/platform.ts";

let it: TestPlatform;
beforeAll(async () => {
  it = await sharedPlatform();
});
afterAll(() => it.close());

const toolCall = {
  message: {
    type: "tool-calls",
    call: { id: "sessions-1" },
    toolCallList: [{ id: "t1", type: "function", function: { name: "getOfficeInfo", arguments: {} } }],
  },
};

/** STS calls of one function while requests for two tenants alternate. */
async function assumedBy(functionName: string, ask: (at: 0 | 1) => Promise<{ status: number }>): Promise<number[]> {
  let assumed = 0;
  it.fault(({ service, principalArn }) => {
    if (service === "sts" && principalArn.includes(`-${functionName}Role`)) assumed++;
    return undefined;
  });
  const counts: number[] = [];
  for (const at of [0, 0, 1, 0, 1, 1] as const) {
    expect((await ask(at)).status).toBe(200);
    counts.push(assumed);
  }
  it.fault();
  return counts;
}

test("A04: a tenant's first request in an instance costs one STS call, and each later one none", async () => {
  const [one, two] = it.demo.tenants;
  const keys = [one?.apiKey, two?.apiKey] as [string, string];
  expect(await assumedBy("voice", (at) => it.api("POST", "/api/vapi/tool-call", { key: keys[at], body: toolCall }))).toEqual([
    1, 1, 2, 2, 2, 2,
  ]);
  const tokens: string[] = [];
  for (const tenant of [one, two]) tokens.push(await it.tokenOf(tenant?.admin.email ?? "", tenant?.admin.password ?? ""));
  const overview = (at: 0 | 1) => it.api("GET", "/api/tenant/dashboard/metrics", { token: tokens[at] ?? "" });
  expect(await assumedBy("tenant", overview)).toEqual([1, 1, 2, 2, 2, 2]);
});
