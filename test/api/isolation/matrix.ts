import { findLeakingAnswers, findSharedCalls, findAcceptedCursors } from "./answers.ts";
import { callersOf, type Caller, type Verdict } from "./callers.ts";
import { findAcceptedForeignIds } from "./foreign.ts";
import type { TestPlatform } from "../../kit/platform.ts";
import { allRoutes, routeKey, type Route } from "@vitaline/contract";

/** Not tried as an allowed caller: they end the session or replace the key. */
const changesWhoMayAsk = ["logout", "logoutEverywhere", "regenerateApiKey"];
/** An unused id, so that an allowed caller changes nothing. */
const unusedId = "0".repeat(26);
const addressOf = ({ path }: Route): string => path.replace(/\{\w+\}/g, unusedId);

const kept = (route: Route, wanted: Verdict, status: number): boolean => {
  if (wanted !== "an answer") return status === wanted;
  return route.method === "GET" && !route.path.includes("{") ? status === 200 : status !== 401 && status !== 403 && status < 500;
};

const isFull = Boolean(process.env["FULL"]);
/** Credentials that are refused alike, and the same role at either tenant: quick runs ask each route as one of each group, in turn. */
const alike = [
  ["a malformed token", "an expired session", "a deactivated user", "a key that was never issued", "an inactive tenant's former key"],
  ...["key", "administrator"].map((what) => [`tenant one's ${what}`, `tenant two's ${what}`]),
  ...["staff", "auditor"].map((access) => [`${access} of tenant one`, `${access} of tenant two`]),
];
const asksHere = ({ name }: Caller, turn: number): boolean => {
  const group = alike.find((names) => names.includes(name));
  return isFull || !group || group[turn % group.length] === name;
};

type Found = { asked: number; broken: string[] };

export async function findRoleViolations(test: TestPlatform, callers: Caller[]): Promise<Found> {
  const broken: string[] = [];
  let asked = 0;
  for (const [turn, { operation, route }] of allRoutes().entries())
    for (const caller of callers.filter((one) => asksHere(one, turn))) {
      const wanted = caller.may(route, operation);
      if (wanted === "an answer" && changesWhoMayAsk.includes(operation)) continue;
      const { status } = await test.api(route.method, addressOf(route), { ...caller.asking, ...(route.body ? { body: {} } : {}) });
      asked++;
      if (!kept(route, wanted, status)) broken.push(`${caller.name}: ${routeKey(route)} answered ${status}, not ${wanted}`);
    }
  return { asked, broken };
}

/** What a caller of one tenant sees or changes of the other. */
export async function findLeaks(test: TestPlatform, callers: Caller[]): Promise<Found> {
  const leaks = [
    ...(await findLeakingAnswers(test, callers)),
    ...(await findAcceptedCursors(test, callers)),
    ...(await findSharedCalls(test, callers)),
  ];
  const { asked, broken } = await findAcceptedForeignIds(test, callers);
  return { asked, broken: [...leaks, ...broken] };
}

export async function runIsolationMatrix(test: TestPlatform): Promise<Found & { callers: number }> {
  const callers = await callersOf(test);
  const roles = await findRoleViolations(test, callers);
  const leaks = await findLeaks(test, callers);
  return { callers: callers.length, asked: roles.asked + leaks.asked, broken: [...roles.broken, ...leaks.broken] };
}
