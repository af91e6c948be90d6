import { readFileSync } from "node:fs";
import path from "node:path";
import { allRoutes, sessions, type Me, type ResponseOf, type Role, type Route } from "@vitaline/contract";
import { dayIn, daysAfter } from "../../../web/src/lib/format/zone-day.ts";
import { refusal, type Handler } from "./fake-api.ts";

type Recorded = Record<string, unknown>;

const file = path.resolve(import.meta.dirname, "answers.json");
const answers = JSON.parse(readFileSync(file, "utf8")) as { recordedAt: string } & Record<Role, Recorded>;

export const recordedAt = new Date(answers.recordedAt);

export const inDays = (days: number): string => new Date(recordedAt.getTime() + days * 86_400_000).toISOString();

/** The day of the recording in a time zone, or so many days later: "2026-11-23". */
export const recordedDay = (timeZone: string, later = 0): string => daysAfter(dayIn(timeZone, recordedAt), later);

/** A copy of a recorded answer. `params` fill the route's path; default: the first recorded one. */
export function demo<R extends Route>(role: Role, route: R, params: Record<string, string> = {}): ResponseOf<R> {
  const wanted = new RegExp(`^${route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => params[name] ?? "[^/]+")}$`);
  const address = Object.keys(answers[role]).find((one) => wanted.test(one));
  if (address === undefined) throw new Error(`No answer to ${route.path} was recorded for a ${role}`);
  return structuredClone(answers[role][address]) as ResponseOf<R>;
}

export const demoUser = (role: Role): Me => demo(role, sessions.me);

export function demoHandlers(role: Role): Map<Route, Handler<Route>> {
  const handlerOf =
    (route: Route): Handler<Route> =>
    ({ params }) => {
      try {
        return demo(role, route, (params ?? {}) as Record<string, string>);
      } catch {
        return refusal(404, { error: "There is nothing here.", code: "not_found" });
      }
    };
  const isRecorded = (route: Route): boolean => {
    const pattern = new RegExp(`^${route.path.replaceAll(/\{\w+\}/g, "[^/]+")}$`);
    return Object.keys(answers[role]).some((address) => pattern.test(address));
  };
  const routes = allRoutes().map(({ route }) => route);
  return new Map<Route, Handler<Route>>([
    ...routes.filter((route) => route.method === "GET" && isRecorded(route)).map((route) => [route, handlerOf(route)] as const),
    [sessions.logout, () => undefined],
  ]);
}
