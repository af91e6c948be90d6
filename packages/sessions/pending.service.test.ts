import { confirmTotp, enrollTotp } from "@vitaline/users";
import { afterAll, beforeAll, expect, test } from "vitest";
import { shownAt } from "../../test/kit/authenticator.ts";
import { changePassword, checkSession, removeTotp } from "./index.ts";
import { password, startPeople, type People } from "./people.fixture.ts";

let it: People;
beforeAll(async () => {
  process.env["SYSTEM_ADMIN_TOTP"] = "required";
  it = await startPeople();
});
afterAll(() => {
  delete process.env["SYSTEM_ADMIN_TOTP"];
  return it.close();
});

const pendingOf = async (token: string) => (await checkSession(it.caller(), token, true)).pending;

test("if the platform requires it, a system administrator must enroll a second factor first, and a tenant administrator need not", async () => {
  const [root, manager] = [await it.add(), await it.add(it.tenantIds[0])];
  expect(await it.enter(manager.email)).toMatchObject({ pending: null });
  const { token, pending } = await it.enter(root.email);
  expect([pending, await pendingOf(token)]).toEqual(["totp_enrolment", "totp_enrolment"]);
  const { secret } = await enrollTotp(it.caller(), root.id);
  const [code = ""] = await confirmTotp(it.caller(), root.id, shownAt(secret, Date.now()));
  expect(await pendingOf(token)).toBeUndefined();
  await removeTotp(await it.signedIn(token), code);
  expect(await pendingOf(token)).toBe("totp_enrolment");
});

test("a first password is changed first, then the second factor is set up", async () => {
  const { email } = await it.add(undefined, it.aws.platform({ kind: "user", id: "a".repeat(26), role: "system_admin" }));
  const first = await it.enter(email);
  expect(first.pending).toBe("password_change");
  const body = { currentPassword: password, newPassword: "another long sentence of mine" };
  const second = await changePassword(await it.signedIn(first.token), body);
  expect([second.pending, await pendingOf(second.token)]).toEqual(["totp_enrolment", "totp_enrolment"]);
});
