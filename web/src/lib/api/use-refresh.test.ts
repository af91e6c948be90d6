import { webhooks } from "@vitaline/contract";
import { expect, test } from "vitest";
import { dropHidden, isOfRoute } from "./use-refresh.ts";

test("a key belongs to its route for every query, every params and every reader", () => {
  const isList = isOfRoute({ path: "/api/tenant/offices" });
  const isOne = isOfRoute({ path: "/api/tenant/offices/{officeId}" });
  for (const key of ["/api/tenant/offices", "/api/tenant/offices?limit=20", "/api/tenant/offices#3", "/api/tenant/offices?limit=2#3"])
    expect([key, isList(key), isOne(key)]).toEqual([key, true, false]);
  for (const key of ["/api/tenant/offices/o1", "/api/tenant/offices/o1?x=1", "/api/tenant/offices/o1#4"])
    expect([key, isList(key), isOne(key)]).toEqual([key, false, true]);
  for (const key of ["/api/tenant/offices/o1/voice-agents", "/api/tenant/officesx", undefined])
    expect([key, isList(key), isOne(key)]).toEqual([key, false, false]);
});

test("hidden data is dropped, read or failed, and displayed data stays", () => {
  const cache = new Map<string, object>([
    [webhooks.listWebhooks.path, { data: [] }],
    [`${webhooks.listWebhooks.path}?limit=1`, { error: new Error("Not now.") }],
    ["/api/tenant/settings", { data: {} }],
  ]);
  dropHidden(cache, isOfRoute(webhooks.listWebhooks));
  expect([...cache.keys()]).toEqual(["/api/tenant/settings"]);
});
