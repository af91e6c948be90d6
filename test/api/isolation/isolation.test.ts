import { allRoutes } from "@vitaline/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runIsolationMatrix } from "./matrix.ts";
import { sharedPlatform, type TestPlatform } from "../../kit/platform.ts";

let it: TestPlatform;
beforeAll(async () => {
  it = await sharedPlatform({ voices: true, calls: true });
});
afterAll(() => it.close());

test("on every route, every caller gets its own data and nothing of another tenant", async () => {
  const { callers, asked, broken } = await runIsolationMatrix(it);
  process.stdout.write(`isolation: ${allRoutes().length} routes, ${callers} callers, ${asked} requests, ${broken.length} failures\n`);
  expect(broken).toEqual([]);
}, 300_000);

test("another tenant's resource and an unknown one get the same answer", async () => {
  const token = await it.tokenOf(it.demo.systemAdmin.email, it.demo.systemAdmin.password);
  const office = { name: "Nowhere" };
  const answers = await Promise.all(
    ["0".repeat(26), "not-an-id", "x".repeat(3000)].map((id) =>
      it.api("POST", `/api/admin/tenants/${id}/offices`, { token, body: office }),
    ),
  );
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
  expect(new Set(answers.map(({ json }) => json.error)).size).toBe(1);
});

test("an unknown address is a JSON 404, a wrong method a 405 with the allowed ones", async () => {
  expect(await it.api("GET", "/api/no/such/thing")).toMatchObject({ status: 404, json: { code: "not_found" } });
  const wrong = await it.api("DELETE", "/api/auth/login");
  expect(wrong).toMatchObject({ status: 405, json: { code: "method_not_allowed" } });
  expect(wrong.headers.get("allow")).toBe("POST");
});
