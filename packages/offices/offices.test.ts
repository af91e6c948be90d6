import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestAws, type TestAws } from "../../test/fixtures/aws.ts";
import { keys } from "@vitaline/store";
import { createTenant } from "@vitaline/tenants";
import { createOffice } from "./index.ts";

let it: TestAws;
let one: string;
let two: string;
const office = (name: string) => ({ name, isActive: true, address: undefined, phone: "555 0199", email: undefined });

beforeAll(async () => {
  it = await startTestAws();
  const made = await Promise.all(
    ["One", "Two"].map((name) => createTenant(it.platform(), { name, organizationType: "clinic", contactEmail: "x@y.example" })),
  );
  [one, two] = made.map(({ id }) => id) as [string, string];
});
afterAll(() => it.close());

test("an office belongs to its tenant, and its id points back to it", async () => {
  const made = await createOffice(it.inTenant(one), office("Downtown"));
  expect(made).toMatchObject({ name: "Downtown", phone: "555 0199", address: null });
  expect(await it.inTenant(one).store.get(keys.office(made.id))).toBeDefined();
  expect(await it.inTenant(two).store.get(keys.office(made.id))).toBeUndefined();
  expect(await it.inTenant(one).store.get(keys.ref(made.id))).toMatchObject({ tenantId: one, kind: "office" });
});

test("a name is taken once in a tenant, in any case, and stays free in the other tenant", async () => {
  const tries = await Promise.allSettled(["Uptown", "UPTOWN", "uptown"].map((name) => createOffice(it.inTenant(one), office(name))));
  expect(tries.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected", "rejected"]);
  await expect(createOffice(it.inTenant(one), office("uptown"))).rejects.toMatchObject({
    code: "duplicate",
    fields: { name: "An office with this name already exists" },
  });
  await createOffice(it.inTenant(two), office("Uptown"));
});

test("a tenant that does not exist gets no office: the answer is 'not found' and nothing is written", async () => {
  const nobody = it.inTenant("0".repeat(26));
  await expect(createOffice(nobody, office("Ghost"))).rejects.toMatchObject({ code: "not_found" });
  expect((await nobody.store.query(keys.tenantPartitions.config(nobody.tenantId))).rows).toEqual([]);
});
