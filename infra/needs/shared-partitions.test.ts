import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
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
