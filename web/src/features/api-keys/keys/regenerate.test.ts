import type { ApiKey } from "@vitaline/contract";
import { afterEach, expect, test } from "vitest";
import { type Answer, type Asked, openBrowser } from "../../../lib/api/browser.fixture.ts";
import { ApiError } from "../../../lib/api/api-error.ts";
import { regenerateKey } from "./regenerate.ts";

let browser: Awaited<ReturnType<typeof openBrowser>>;
afterEach(() => browser?.close());

const key = (letter: string): ApiKey => ({
  id: letter.repeat(26),
  last4: letter.repeat(4),
  status: "active",
  createdAt: "2026-01-01T00:00:00.000Z",
  createdBy: "someone",
  notAfter: null,
  lastUsedAt: null,
});
const info = {
  tenantId: "t".repeat(26),
  organizationName: "Clinic",
  apiKey: "the-new-key",
  isActive: true,
  createdAt: "2026-01-01T00:00:00.000Z",
};
const json = (body: object): Answer => ({ status: 200, body: JSON.stringify(body) });

const open = async (regeneration: Answer, current: ApiKey, told: Answer = json(info)) => {
  const answer = ({ method, path }: Asked): Answer =>
    method === "POST" ? regeneration : path.endsWith("/api-keys") ? json([current]) : told;
  browser = await openBrowser(answer);
  return () => browser.asked.map(({ method, path }) => `${method} ${path}`);
};
const post = "POST /api/tenant/regenerate-api-key";

test("returns the key of the response without further requests", async () => {
  const asked = await open(json({ apiKey: "fresh" }), key("b"));
  expect(await regenerateKey(3600, [key("a")])).toBe("fresh");
  expect(asked()).toEqual([post]);
  expect(browser.asked[0]?.body).toBe('{"overlapSeconds":3600}');
});

test("after a lost response, reads the new key if it has changed instead of retrying", async () => {
  const asked = await open({ status: 502, body: "<html>Bad gateway</html>" }, key("b"));
  expect(await regenerateKey(3600, [key("a")])).toBe("the-new-key");
  expect(asked()).toEqual([post, "GET /api/tenant/api-keys", "GET /api/tenant/info"]);
});

test("returns null if the key was replaced but cannot be read", async () => {
  await open({ status: 502, body: "" }, key("b"), { status: 503, body: "" });
  expect(await regenerateKey(3600, [key("a")])).toBeNull();
});

test("reports the failure if the key has not changed", async () => {
  const asked = await open({ status: 503, body: "" }, key("a"));
  await expect(regenerateKey(0, [key("a")])).rejects.toBeInstanceOf(ApiError);
  expect(asked()).toEqual([post, "GET /api/tenant/api-keys"]);
});

test("reads an unknown current key first; without it nothing is replaced", async () => {
  const asked = await open({ status: 503, body: "" }, key("a"));
  await expect(regenerateKey(0, undefined)).rejects.toBeInstanceOf(ApiError);
  expect(asked()).toEqual(["GET /api/tenant/api-keys", post, "GET /api/tenant/api-keys"]);
  browser.close();
  browser = await openBrowser(() => ({ status: 503, body: "" }));
  await expect(regenerateKey(0, undefined)).rejects.toBeInstanceOf(ApiError);
  expect(browser.asked.map(({ method }) => method)).toEqual(["GET"]);
});

test("does not look for a new key after a refusal", async () => {
  const asked = await open({ status: 409, body: "" }, key("b"));
  await expect(regenerateKey(0, [key("a")])).rejects.toBeInstanceOf(ApiError);
  expect(asked()).toEqual([post]);
});
