import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { partitionPatterns } from "@vitaline/store/partitions.ts";
import { needs, type Needs } from "./index.ts";

const page = readFileSync(path.join(import.meta.dirname, "../../packages/tenant-access/README.md"), "utf8");

test("A04: the page about access to tenants' data lists each shared partition with the functions that have a right to it", () => {
  const held = new Map<string, Set<string>>();
  for (const [name, { tenant, ...own }] of Object.entries(needs) as [string, Needs][])
    for (const { reads = [], writes = [], deletes = [] } of tenant ? [own, tenant] : [])
      for (const pattern of [...reads, ...writes, ...deletes].filter((one) => !one.startsWith("TENANT#")))
        held.set(pattern, (held.get(pattern) ?? new Set()).add(name));
  const listed = new Map(
    [...page.matchAll(/^\| `([A-Z#*]+)` \|[^|]*\|([^|]*)\|$/gm)].map(([, pattern = "", rights = ""]) => [
      pattern,
      new Set([...rights.matchAll(/`(\w+)`/g)].map(([, name = ""]) => name)),
    ]),
  );
  expect(new Map([...listed].toSorted())).toEqual(new Map([...held].toSorted()));
});

test("A04: the page lists each function that reaches rows of any tenant with its own role, with their partitions, and no other", () => {
  const held = new Map<string, Set<string>>();
  for (const [name, { tenant, ...own }] of Object.entries(needs) as [string, Needs][]) {
    const { reads = [], writes = [], deletes = [], audits } = own;
    const audit = audits === true ? [partitionPatterns().tenant.audit] : [];
    const anyTenants = [...reads, ...writes, ...deletes, ...audit].filter((one) => one.startsWith("TENANT#*#"));
    if (anyTenants.length > 0) held.set(name, new Set(anyTenants.map((one) => one.replace("TENANT#*#", ""))));
    if (tenant) expect([name, anyTenants]).toEqual([name, []]);
  }
  const listed = new Map(
    [...page.matchAll(/^\| `([a-z/]+)` \|([^|]*)\|[^|]*\|$/gm)].map(([, name = "", partitions = ""]) => [
      name,
      new Set([...partitions.matchAll(/`([A-Z#*]+)`/g)].map(([, one = ""]) => one)),
    ]),
  );
  const sorted = (of: Map<string, Set<string>>) => [...of].toSorted().map(([name, partitions]) => [name, [...partitions].toSorted()]);
  expect(sorted(listed)).toEqual(sorted(held));
});

test("A04: what anybody may ask without signing in, and what reads no session, writes into no tenant's audit with its own role", () => {
  const { platform } = partitionPatterns();
  const unsigned = (Object.entries(needs) as [string, Needs][]).filter(
    ([, { http, reads }]) => http && !reads?.includes(platform.sessions),
  );
  expect(unsigned.map(([name]) => name)).toContain("site");
  expect(unsigned.filter(([, { audits }]) => audits === true).map(([name]) => name)).toEqual([]);
});
