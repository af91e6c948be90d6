import { Validator } from "@seriousme/openapi-schema-validator";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { apiReference, type ReferenceRoute } from "./api-reference.ts";
import { allRoutes, routeKey } from "./index.ts";
import { openApi } from "./openapi.ts";

test("openapi.json is up to date with the route table", () => {
  expect(JSON.parse(readFileSync(new URL("openapi.json", import.meta.url), "utf8")), "run npm run openapi").toEqual(openApi());
});

test("the documentation's extract is up to date, and names each route that a tenant or a voice platform calls", () => {
  const extract = JSON.parse(readFileSync(new URL("api-reference.json", import.meta.url), "utf8")) as ReferenceRoute[];
  expect(extract, "run npm run openapi").toEqual(apiReference());
  const theirs = allRoutes().flatMap(({ route }) => (route.auth === "system_admin" ? [] : [routeKey(route)]));
  expect(extract.map(({ method, path }) => `${method} ${path}`).toSorted()).toEqual(theirs.toSorted());
});

test("every route has a unique address, a unique operation name and a path that API Gateway accepts", () => {
  const all = allRoutes();
  expect(new Set(all.map(({ route }) => routeKey(route))).size).toBe(all.length);
  expect(new Set(all.map(({ operation }) => operation)).size).toBe(all.length);
  for (const { route } of all) expect(route.path).toMatch(/^(\/([a-z0-9.-]+|\{[A-Za-z]+\}))+$/);
});

test("a path's parameters match its schema", () => {
  for (const { route } of allRoutes()) {
    const named = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    const parsed = Object.keys((route.params as unknown as { shape?: object } | undefined)?.shape ?? {});
    expect(parsed, route.path).toEqual(named);
  }
});

test("a third-party validator accepts the document as OpenAPI 3.1, and it contains every route", async () => {
  const validator = new Validator();
  const { valid, errors } = await validator.validate(openApi());
  expect([valid, errors]).toEqual([true, undefined]);
  const { paths } = openApi() as { paths: Record<string, object> };
  expect(Object.values(paths).flatMap((methods) => Object.keys(methods))).toHaveLength(allRoutes().length);
});
