import { randomUUID } from "node:crypto";
import { request } from "node:http";
import { allRoutes, type Auth, type Route } from "@vitaline/contract";
import { expect } from "vitest";
import type { Answer, Asking, Json } from "./api.ts";
import { ownPlatform, sharedPlatform, type TestPlatform } from "./platform.ts";

export type Ask = <T = Json>(method: string, path: string, body?: unknown, more?: Asking) => Promise<Answer<T>>;
export type Person = { id: string; email: string; password: string; ask: Ask; token: string };
export type DemoTenant = TestPlatform["demo"]["tenants"][number];

export const unknownId = "0".repeat(26);
export const isInstant = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/);
export const isId = expect.stringMatching(/^[0-9a-z]{26}$/);

export type ApiTest = {
  it: TestPlatform;
  root: Person;
  one: Person;
  two: Person;
  tenants: [DemoTenant, DemoTenant];
  asAnonymous: Ask;
  newTenant(change?: object): Promise<Json>;
  newAdmin(tenantId: string, names?: { firstName: string; lastName: string }): Promise<Person>;
  close(): Promise<void>;
};

export const details = (change: object = {}) => ({
  name: `Clinic ${randomUUID().slice(0, 8)}`,
  organizationType: "clinic",
  contactEmail: "front@desk.example",
  contactPhone: "555 0100",
  address: "1 Main St",
  description: "A clinic",
  ...change,
});

/** `own`: a separate platform, for tests of platform-wide state. */
export async function openApiTest({ own = false } = {}): Promise<ApiTest> {
  const it = await (own ? ownPlatform : sharedPlatform)({ calls: true, voices: true });
  const asWith =
    (caller: Asking): Ask =>
    (method, path, body, more = {}) =>
      it.api(method, path, { ...caller, ...(body === undefined ? {} : { body }), ...more });
  const asAnonymous = asWith({});
  const signIn = async ({ email, password }: { email: string; password: string }): Promise<Person> => {
    const { json, status, text } = await asAnonymous("POST", "/api/auth/login", { email, password });
    if (status !== 200) throw new Error(`${email} cannot sign in: ${status} ${text}`);
    return { id: json.user.id, email, password, token: json.token, ask: asWith({ token: json.token }) };
  };
  const [first, second] = it.demo.tenants;
  if (!first || !second) throw new Error("The demo data has two tenants");
  const root = await signIn(it.demo.systemAdmin);
  const made = async (path: string, body: object): Promise<Json> => {
    const { status, json, text } = await root.ask("POST", path, body);
    if (status !== 201) throw new Error(`${path}: ${status} ${text}`);
    return json;
  };
  return {
    it,
    root,
    one: await signIn(first.admin),
    two: await signIn(second.admin),
    tenants: [first, second],
    asAnonymous,
    newTenant: (change) => made("/api/admin/tenants", details(change)),
    async newAdmin(tenantId, names = { firstName: "Tess", lastName: "Tenant" }) {
      return signIn(await it.newUser(tenantId, names));
    },
    close: () => it.close(),
  };
}

export const routesOf = (auth: Auth): { route: Route; path: string; operation: string }[] =>
  allRoutes()
    .filter(({ route }) => route.auth === auth)
    .map(({ route, operation }) => ({ route, operation, path: route.path.replace(/\{\w+\}/g, unknownId) }));

/** One route of each noun and method; the isolation matrix asks all of them. */
export const someRoutesOf = (auth: Auth): ReturnType<typeof routesOf> => {
  const nounOf = (path: string): string => path.split("/").slice(0, 4).join("/");
  return [...new Map(routesOf(auth).map((one) => [`${one.route.method} ${nounOf(one.path)}`, one])).values()];
};

export async function statusesOn(auth: Auth, ask: Ask): Promise<number[]> {
  const statuses = new Set<number>();
  for (const { route, path } of someRoutesOf(auth)) statuses.add((await ask(route.method, path, route.body ? {} : undefined)).status);
  return [...statuses].toSorted();
}

export function withHeader(origin: string, path: string, line: string, body?: object): Promise<{ status: number; sent: string }> {
  const [name = "", value = ""] = line.split(/: (.*)/s);
  const headers = { [name]: value, ...(body && { "content-type": "application/json" }) };
  return new Promise((done, fail) => {
    const asking = request(origin + path, { method: body ? "POST" : "GET", headers }, (response) => {
      response.resume();
      response.on("end", () => done({ status: response.statusCode ?? 0, sent: `${name}: ${String(asking.getHeader(name))}` }));
    });
    asking.on("error", fail).end(body && JSON.stringify(body));
  });
}

export const nextOf = ({ headers }: Pick<Answer<unknown>, "headers">): string | undefined =>
  /<([^>]+)>; rel="next"/.exec(headers.get("link") ?? "")?.[1];
