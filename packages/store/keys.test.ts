import { readFileSync } from "node:fs";
import fc from "fast-check";
import { sha256In, newId } from "@vitaline/core";
import { expect, test } from "vitest";
import { entities } from "./entities/entity.ts";
import { partitionPatterns } from "./entities/partitions.ts";
import * as keys from "./keys.ts";

type Template = (...ids: string[]) => keys.Key<unknown>;
/** Platform keys to rows of a tenant. */
const views = ["keyLookupBeforeTenant", "refOwner", "hookBeforeTenant", "calendarOwner", "listedTenant", "userInTenant"];
/** All key templates: the functions of keys.ts that return a key. */
const templates = Object.entries(keys).flatMap(([name, value]) =>
  typeof value === "function" && name !== "callKeyOf" ? [[name, value as Template] as const] : [],
);
const made = (template: Template, ids: string[]) => template(...ids);
const at = (key: keys.Key<unknown>, tenantId: string): keys.PrimaryKey =>
  key.scope === "tenant" ? key.primaryKeyIn(tenantId) : key.primaryKey;
const someIds = ["a1", "b2", "c3"];

test("every key template is in the registry of entities", () => {
  expect(templates.length).toBeGreaterThan(30);
  for (const [, template] of templates) expect(entities).toHaveProperty(made(template, someIds).entity);
});

test("a tenant's row is in the tenant's partitions, is claimed, or is in a shared list under its tenant's id", () => {
  const tenantId = newId();
  for (const [name, template] of templates) {
    const key = made(template, someIds);
    if (key.scope !== "tenant") continue;
    const { pk, sk } = key.primaryKeyIn(tenantId);
    const listed =
      (pk === keys.partitions.tenantDirectory && sk.startsWith(tenantId)) ||
      ([keys.partitions.due("a1"), keys.partitions.outgoing("a1")].includes(pk) && sk.includes(`#${tenantId}#`));
    const own = pk.startsWith(`TENANT#${tenantId}#`) || key.isOutsideTenantPartition || listed;
    expect([name, own]).toEqual([name, true]);
  }
});

test("no row outside the tenants is in a tenant's partition", () => {
  const platformKeys = templates.flatMap(([name, template]) => {
    const key = made(template, someIds);
    return key.scope === "tenant" || views.includes(name) ? [] : [key.primaryKey.pk];
  });
  expect(platformKeys.filter((pk) => pk.startsWith("TENANT#"))).toEqual([]);
});

test("no two templates have the same address, except the platform's views of tenant rows", () => {
  const tenantId = newId();
  const addresses = templates
    .filter(([name]) => !views.includes(name))
    .map(([, template]) => Object.values(at(made(template, someIds), tenantId)).join("|"));
  expect(new Set(addresses).size).toBe(addresses.length);
});

test("keys contain no free text and no foreign ids", () => {
  const text = "Jane Roe +1 555 0100#x";
  const hashed = [
    keys.email(text),
    keys.officeName(text),
    keys.throttle("login", text, "1"),
    keys.slotLock("p1", text),
    keys.counter("claim", text, "1"),
    keys.fhirToken("p1", text),
    keys.optOut(text),
    keys.call(keys.callKeyOf("vapi", text)),
  ];
  for (const key of hashed) expect(JSON.stringify(at(key, "t1"))).not.toContain("Jane");
});

test("different ids have different addresses, also with special characters in foreign text", () => {
  const id = fc.string({ unit: fc.constantFrom(..."abc019"), minLength: 1, maxLength: 4 });
  const foreign = fc.string({ unit: fc.constantFrom(..."ab#|:~"), maxLength: 6 });
  const distinct = <Ids extends unknown[]>(ids: fc.Arbitrary<Ids>, make: (...ids: Ids) => unknown) =>
    fc.assert(
      fc.property(ids, ids, (one, two) => {
        expect(JSON.stringify(make(...one)) === JSON.stringify(make(...two))).toBe(JSON.stringify(one) === JSON.stringify(two));
      }),
    );
  distinct(fc.tuple(foreign, foreign), (platform, callId) => keys.callKeyOf(platform, callId));
  distinct(fc.tuple(id, foreign, foreign), (tenantId, kind, subject) => keys.counter(kind, subject, "h").primaryKeyIn(tenantId));
  distinct(fc.tuple(id, foreign), (providerId, slot) => keys.slotLock(providerId, slot).primaryKey);
  distinct(fc.tuple(id, id, id), (tenantId, callKey, run) => keys.toolRun(callKey, run).primaryKeyIn(tenantId));
  distinct(fc.tuple(id, id), (tenantId, officeId) => keys.officeDirectory(officeId).primaryKeyIn(tenantId));
});

test("an office's name is reserved regardless of case, spaces and Unicode form", () => {
  const claim = (name: string) => keys.officeName(name).primaryKeyIn("t1").sk;
  for (const same of ["MAIN street", "Main  Street", " Main\u00a0Street ", "Main\u3000Street", "\uff2dain Street"])
    expect(claim(same)).toBe(claim("Main Street"));
  expect(claim("Caf\u00e9")).toBe(claim("Cafe\u0301"));
  expect(claim("MainStreet")).not.toBe(claim("Main Street"));
  // The stored format
  expect(claim("Main Street")).toBe(`OFFICENAME#${sha256In("office-name", "main street")}`);
});

test("every key matches a partition pattern, and their module imports nothing", () => {
  const { platform, tenant } = partitionPatterns();
  const patterns = [...Object.values(platform), ...Object.values(tenant)];
  expect(new Set(patterns).size).toBe(patterns.length);
  const matches = (pk: string) => patterns.some((pattern) => new RegExp(`^${pattern.replaceAll("*", "[^#]+")}(?:#[^#]+)*$`).test(pk));
  const keyPartitions = templates.map(([, template]) => at(made(template, someIds), "t1").pk);
  expect(keyPartitions.filter((pk) => !matches(pk))).toEqual([]);
  expect(readFileSync(new URL("entities/partitions.ts", import.meta.url), "utf8")).not.toMatch(/^(import|export .* from)\b/m);
});
