import fc from "fast-check";
import { expect, test } from "vitest";
import { FirstPassword, OtherPassword } from "./new-password-fields.tsx";

const issuesOf = (result: ReturnType<typeof FirstPassword.safeParse | typeof OtherPassword.safeParse>) =>
  result.error?.issues.map(({ path, message }) => [path.join("."), message]) ?? [];

test("a password counts when both times are the same, whatever it holds", () => {
  fc.assert(
    fc.property(fc.string({ minLength: 12, maxLength: 128 }), fc.string({ minLength: 12, maxLength: 128 }), (one, other) => {
      const expected = one === other ? [] : [["repeated", "Must be the same as the new password"]];
      expect(issuesOf(FirstPassword.safeParse({ password: one, repeated: other }))).toEqual(expected);
      expect(issuesOf(OtherPassword.safeParse({ currentPassword: "before", newPassword: one, repeated: other }))).toEqual(expected);
      expect(FirstPassword.safeParse({ password: one, repeated: one }).data).toEqual({ password: one, repeated: one });
    }),
  );
});

test("what is missing or too short is said at its field", () => {
  expect(issuesOf(FirstPassword.safeParse({ password: "eleven sign", repeated: "eleven sign" }))).toEqual([
    ["password", "Must be at least 12 characters"],
  ]);
  expect(issuesOf(OtherPassword.safeParse({ currentPassword: "", newPassword: "twelve signs", repeated: "twelve signs" }))).toEqual([
    ["currentPassword", "Is required"],
  ]);
});
