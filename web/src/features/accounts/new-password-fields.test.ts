import fc from "fast-check";
import { expect, test } from "vitest";
import { FirstPassword, ChangedPassword } from "./new-password-fields.tsx";

const issuesOf = (result: ReturnType<typeof FirstPassword.safeParse | typeof ChangedPassword.safeParse>) =>
  result.error?.issues.map(({ path, message }) => [path.join("."), message]) ?? [];

test("a password is accepted when both entries are equal, with any characters", () => {
  fc.assert(
    fc.property(fc.string({ minLength: 12, maxLength: 128 }), fc.string({ minLength: 12, maxLength: 128 }), (one, other) => {
      const expected = one === other ? [] : [["repeated", "Must be the same as the new password"]];
      expect(issuesOf(FirstPassword.safeParse({ password: one, repeated: other }))).toEqual(expected);
      expect(issuesOf(ChangedPassword.safeParse({ currentPassword: "before", newPassword: one, repeated: other }))).toEqual(expected);
      expect(FirstPassword.safeParse({ password: one, repeated: one }).data).toEqual({ password: one, repeated: one });
    }),
  );
});

test("a missing or short password is reported at its field", () => {
  expect(issuesOf(FirstPassword.safeParse({ password: "eleven sign", repeated: "eleven sign" }))).toEqual([
    ["password", "Must be at least 12 characters"],
  ]);
  expect(issuesOf(ChangedPassword.safeParse({ currentPassword: "", newPassword: "twelve signs", repeated: "twelve signs" }))).toEqual([
    ["currentPassword", "Is required"],
  ]);
});
