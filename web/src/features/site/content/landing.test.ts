import { allRoutes, routeKey } from "@vitaline/contract";
import { expect, test } from "vitest";
import { endpoints } from "./landing.ts";

test("every address that the landing page names is one of the contract", () => {
  const known = allRoutes().map(({ route }) => routeKey(route));
  for (const { route } of endpoints) expect(known).toContain(route);
});
