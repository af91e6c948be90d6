import { afterAll, beforeAll, expect, it } from "vitest";
import { startTools, type Tools } from "../../test/tools.fixture.ts";

let t: Tools;
beforeAll(async () => void (t = await startTools()), 60_000);
afterAll(() => t.close());

const verify = "verifyPatientIdentity";

it("two hundred wrong guesses in an hour lock out only callers who withhold their number or have failed before; a success is no guess", async () => {
  const guess = (index: number, caller: string) =>
    t
      .phone(0, caller)
      .use(verify, { ...t.claimOf(0), firstName: `Guess${index}`, lastName: `Family${index}`, phoneNumber: `+1212557${1000 + index}` });
  const failedBefore = "+12125550199";
  for (let index = 0; index < 20; index++) expect(await t.phone(0, "anonymous").use(verify, t.claimOf(1))).toMatchObject({ ok: true });
  expect((await guess(0, failedBefore)).code).toBe("identity_not_verified");
  for (let index = 1; index < 200; index++) expect((await guess(index, "anonymous")).code, String(index)).toBe("identity_not_verified");
  for (const caller of ["anonymous", "+266696687", "", failedBefore])
    expect((await t.phone(0, caller).use(verify, t.claimOf(2))).code, caller).toBe("identity_locked");
  for (const honest of ["+12125550198", "+442079460958"]) {
    expect(await t.phone(0, honest).use(verify, t.claimOf(2))).toMatchObject({ ok: true });
    expect(await t.phone(0, honest).use(verify, t.claimOf(2))).toMatchObject({ ok: true });
  }
  const codes = [];
  for (let index = 0; index < 12; index++)
    codes.push((await t.phone(0, `+1212555${2000 + index}`).use(verify, { ...t.claimOf(3), zipCode: String(10_000 + index) })).code);
  expect(codes.slice(9)).toEqual(["identity_not_verified", "identity_locked", "identity_locked"]);
  expect(await t.phone(1, "anonymous").use(verify, t.claimOf(2))).toMatchObject({ ok: true });
  expect(await t.phone(0, "anonymous").use(verify, t.claimOf(2), { laterMs: 3_600_000 })).toMatchObject({ ok: true });
});
