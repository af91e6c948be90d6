import { allRoutes, routeKey, type Route } from "@vitaline/contract";
import type { Caller, Verdict } from "./callers.ts";
import type { TestPlatform } from "../../kit/platform.ts";

/** Allowed callers do not try these here: they end the session or replace the key that asks. */
const changesWhoMayAsk = ["logout", "logoutEverywhere", "regenerateApiKey"];
/** Of no row: whoever is allowed changes nothing by it. */
const noRow = "0".repeat(26);
const addressOf = ({ path }: Route): string => path.replace(/\{\w+\}/g, noRow);

const kept = (route: Route, wanted: Verdict, status: number): boolean => {
  if (wanted !== "an answer") return status === wanted;
  return route.method === "GET" && !route.path.includes("{") ? status === 200 : status !== 401 && status !== 403 && status < 500;
};

/** Every route of the contract, asked by everybody. */
export async function rolesBroken(test: TestPlatform, callers: Caller[]): Promise<{ asked: number; broken: string[] }> {
  const broken: string[] = [];
  let asked = 0;
  for (const { operation, route } of allRoutes())
    for (const caller of callers) {
      const wanted = caller.may(route, operation);
      if (wanted === "an answer" && changesWhoMayAsk.includes(operation)) continue;
      const { status } = await test.api(route.method, addressOf(route), { ...caller.asking, ...(route.body ? { body: {} } : {}) });
      asked++;
      if (!kept(route, wanted, status)) broken.push(`${caller.name}: ${routeKey(route)} answered ${status}, not ${wanted}`);
    }
  return { asked, broken };
}
