import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { startTestAws, type TestAws } from "../../../test/kit/aws.ts";
import { seal, unseal, type Purpose } from "./vault.ts";

let it: TestAws;
let mine: string;
let others: string;
beforeAll(async () => {
  it = await startTestAws();
  [mine, others] = it.tenants;
});
beforeEach(() => it.fault());
afterAll(() => it.close());

test("any text can be decrypted for its purpose and tenant", async () => {
  const purpose = fc.constantFrom<Purpose>("tenant-api-key", "voice-provider-key", "phi", "fhir-token", "webhook", "webhook-signing");
  await fc.assert(
    fc.asyncProperty(purpose, fc.string({ unit: "binary", maxLength: 2000 }), async (why, text) => {
      const wellFormed = text.toWellFormed();
      expect(await unseal(why, mine, await seal(why, mine, wellFormed))).toBe(wellFormed);
    }),
    { numRuns: 30 },
  );
}, 20_000);

test("it cannot be decrypted for another purpose or tenant", async () => {
  const sealed = await seal("phi", mine, "secret");
  await expect(unseal("webhook", mine, sealed)).rejects.toMatchObject({ name: "InvalidCiphertextException" });
  await expect(unseal("phi", others, sealed)).rejects.toMatchObject({ name: "InvalidCiphertextException" });
});

test("a sealed value does not contain its text and is different each time", async () => {
  const [one, two] = await Promise.all([seal("phi", mine, "secret"), seal("phi", mine, "secret")]);
  expect(one).toMatch(/^v1(\.[\w-]+){4}$/);
  expect(one).not.toBe(two);
  expect(one).not.toContain(Buffer.from("secret").toString("base64url"));
});

test("a value with any changed part cannot be decrypted", async () => {
  const parts = (await seal("phi", mine, "secret")).split(".");
  for (const at of parts.keys()) {
    const part = parts[at]!;
    const altered = parts.with(at, (part.startsWith("A") ? "B" : "A") + part.slice(1)).join(".");
    await expect(unseal("phi", mine, altered)).rejects.toThrow();
  }
  await expect(unseal("phi", mine, "not sealed at all")).rejects.toThrow("Not a sealed value");
});

test("the body of one value with the key of another cannot be decrypted, even within a tenant", async () => {
  const [one, two] = [(await seal("phi", mine, "one")).split("."), (await seal("phi", mine, "two")).split(".")];
  await expect(unseal("phi", mine, [...one.slice(0, 2), ...two.slice(2)].join("."))).rejects.toThrow();
});

test("a failing KMS is unavailable; a denial is our own mistake", async () => {
  const sealed = await seal("phi", mine, "secret");
  it.fault(() => ({ status: 500, code: "KMSInternalException", message: "later" }));
  await expect(seal("phi", mine, "x")).rejects.toMatchObject({ code: "unavailable" });
  await expect(unseal("phi", mine, sealed)).rejects.toMatchObject({ code: "unavailable" });
  it.fault(() => ({ status: 400, code: "AccessDeniedException", message: "no" }));
  await expect(unseal("phi", mine, sealed)).rejects.toMatchObject({ name: "AccessDeniedException" });
});
