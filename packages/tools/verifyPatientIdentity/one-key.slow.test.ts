import { afterAll, beforeAll, expect, it } from "vitest";
import { startTools, type Tools } from "../tools.fixture.ts";

let t: Tools;
beforeAll(async () => void (t = await startTools()), 60_000);
afterAll(() => t.close());

const verify = "verifyPatientIdentity";

it("one key's guesses end after two hundred in an hour, whatever callers and patients it names; a success is no guess", async () => {
  const guess = (index: number) => t.phone(0).use(verify, { ...t.claimOf(0), firstName: `Guess${index}`, lastName: `Family${index}` });
  for (let index = 0; index < 20; index++) expect((await t.phone(0).use(verify, t.claimOf(1))).ok).toBe(true);
  for (let index = 0; index < 200; index++) expect((await guess(index)).code, String(index)).toBe("identity_not_verified");
  expect((await guess(200)).code).toBe("identity_locked");
  expect((await t.phone(0).use(verify, t.claimOf(2))).code).toBe("identity_locked");
  // The same key's name at another tenant is another key, and an hour later it is forgotten.
  expect((await t.phone(1).use(verify, t.claimOf(2))).ok).toBe(true);
  expect((await t.phone(0).use(verify, t.claimOf(2), { laterMs: 3_600_000 })).ok).toBe(true);
});
