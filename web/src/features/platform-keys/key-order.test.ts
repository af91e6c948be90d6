import type { PlatformKey } from "@vitaline/contract";
import { expect, test } from "vitest";
import { inOrder, lastRetired, published, shortKid } from "./key-order.ts";

const key = (state: PlatformKey["state"], day: number): PlatformKey => {
  const at = `2026-05-0${day}T00:00:00.000Z`;
  return { kid: `${state}-${day}`, alg: "RS256", state, createdAt: at, activeFrom: at, lastSignedAt: null };
};
const kids = (keys: PlatformKey[]) => keys.map(({ kid }) => kid);

test("the active key is first, and no retired key is in the key set", () => {
  const keys = [key("pending", 5), key("previous", 2), key("previous", 3), key("active", 4), key("retired", 1)];
  expect(kids(inOrder(keys))).toEqual(["active-4", "pending-5", "previous-3", "previous-2", "retired-1"]);
  expect(kids(published(keys))).toEqual(["active-4", "pending-5", "previous-3", "previous-2"]);
  expect(kids(lastRetired(keys))).toEqual(["retired-1"]);
  expect(shortKid("1Auq3xDAD3Fhz")).toBe("1Auq3xDA…");
});
