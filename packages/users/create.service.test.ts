import { NewUser } from "@vitaline/contract";
import { keys } from "@vitaline/store";
import { createTenant } from "@vitaline/tenants";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestAws, type TestAws } from "../../test/kit/aws.ts";
import { createUser, listUsers, verifyPassword } from "./index.ts";
import { hashPassword, refuseCommonPassword } from "./password.ts";

let it: TestAws;
let tenantIds: string[];
const password = "correct horse battery staple";

beforeAll(async () => {
  it = await startTestAws();
  tenantIds = (
    await Promise.all(
      ["One", "Two"].map((name) => createTenant(it.platform(), { name, organizationType: "clinic", contactEmail: "x@y.example" })),
    )
  ).map(({ id }) => id);
});
afterAll(() => it.close());

const tenantAdmin = (email: string, tenantId: string | undefined = tenantIds[0]) =>
  NewUser.parse({ role: "tenant_admin", tenantId, email, password, firstName: "Ada", lastName: "Byron" });

test("a user is created with its email claimed, listed by the platform and its own tenant only", async () => {
  const user = await createUser(it.platform(), tenantAdmin("Ada@One.example"));
  expect(user).toMatchObject({ email: "ada@one.example", tenantName: "One", isActive: true, lastLogin: null });
  expect((await listUsers(it.platform())).rows).toContainEqual(user);
  expect(await it.inTenant(tenantIds[0] ?? "").store.get(keys.tenantUser(user.id))).toBeDefined();
  expect(await it.inTenant(tenantIds[1] ?? "").store.get(keys.tenantUser(user.id))).toBeUndefined();
});

test("no answer and no list contains a password hash", async () => {
  const user = await createUser(it.platform(), tenantAdmin("hash@one.example"));
  expect(JSON.stringify([user, (await listUsers(it.platform())).rows])).not.toMatch(/argon2|passwordHash/);
});

test("an email is taken once, in any spelling and with concurrent requests", async () => {
  const tries = await Promise.allSettled(
    ["race@one.example", "RACE@one.example", " race@ONE.example"].map((email) => createUser(it.platform(), tenantAdmin(email))),
  );
  expect(tries.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  for (const lost of tries.filter((result) => result.status === "rejected"))
    expect(lost.reason).toMatchObject({ code: "duplicate", fields: { email: "A user with this email already exists" } });
});

test("a tenant's user needs a tenant that exists", async () => {
  await expect(createUser(it.platform(), tenantAdmin("lost@one.example", "0".repeat(26)))).rejects.toMatchObject({
    code: "invalid_request",
    fields: { tenantId: "Please select a tenant for tenant admin users" },
  });
});

test("every password matches only its own hash, in any script", async () => {
  const hash = await hashPassword("Straße zum Krankenhaus");
  expect(hash).toMatch(/^\$argon2id\$v=19\$m=65536,t=3,p=1\$/);
  expect(await verifyPassword("Straße zum Krankenhaus".normalize("NFD"), hash)).toBe(true);
  expect(await verifyPassword("Strasse zum Krankenhaus", hash)).toBe(false);
  expect(await verifyPassword("anything at all", undefined)).toBe(false);
});

test("common passwords are refused, generated ones are not", () => {
  for (const common of [
    "password1234",
    "Passw0rd!2024",
    "qwertyuiop12",
    "aaaaaaaaaaaa",
    "123456789012",
    "Welcome12345",
    "vitaline2026!",
    "ada.byron1234",
    "Riverside2026",
    "Summer2026!!",
    "dragon123456",
  ])
    expect(() => refuseCommonPassword(common, ["ada.byron@riverside.example", "Riverside Family Clinic"]), common).toThrow();
  fc.assert(fc.property(fc.uuid(), (random) => refuseCommonPassword(random, ["ada.byron@one.example"])));
});
