import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestAws, type TestAws } from "../../test/fixtures/aws.ts";
import { create, keys } from "./index.ts";
import { seal, unseal, sign, putSealedFile, getSealedFile, createFhirSecret, createSigningKey, publicKey } from "../aws/index.ts";

let it: TestAws;
beforeAll(async () => {
  it = await startTestAws();
});
afterAll(() => it.close());

test("smoke", async () => {
  const [a, b] = it.tenants;
  const mine = it.inTenant(a);
  const office = { id: "o1", name: "Main", isActive: true, createdAt: new Date().toISOString() };
  await mine.store.commit([create(keys.office("o1"), office)], { category: "configuration_change", action: "office.create", resourceType: "office" });
  expect(await mine.store.get(keys.office("o1"))).toEqual(office);
  expect(await it.inTenant(b).store.get(keys.office("o1"))).toBeUndefined();
  const page = await mine.store.query(keys.tenantPartitions.config(a));
  expect(page.rows).toEqual([office]);
  console.log(it.usage());
  const sealed = await seal("phi", a, "hello");
  expect(await unseal("phi", a, sealed)).toBe("hello");
  await expect(unseal("phi", b, sealed)).rejects.toThrow();
  expect((await sign(it.sessionKeyArn, "RS256", "x")).length).toBe(256);
  const file = await putSealedFile("phi", a, "x/y", "text");
  expect(await getSealedFile("phi", a, file)).toBe("text");
  console.log(await createFhirSecret("p1/c", "v"), await publicKey(await createSigningKey()));
});
