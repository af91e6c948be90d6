import type { User } from "@vitaline/contract";
import { expect, test } from "vitest";
import { matchesSearch, isLocked, pendingStep } from "./user-status.tsx";

const user = {
  email: "nora@seaside.example",
  firstName: "Nora",
  lastName: "New",
  tenantName: "Seaside Clinic",
  isActive: true,
  mustChangePassword: false,
  invitedAt: null,
  lockedUntil: null,
} as User;
const soon = () => new Date(Date.now() + 60_000).toISOString();

test("a user is found by all words of email, name and organization", () => {
  expect(["nora seaside", "NEW", "nora@", ""].map((typed) => matchesSearch(user, typed))).toEqual([true, true, true, true]);
  expect(matchesSearch(user, "nora riverside")).toBe(false);
});

test("an account is locked until its time is over", () => {
  expect([soon(), new Date(Date.now() - 1).toISOString(), null].map((lockedUntil) => isLocked({ lockedUntil }))).toEqual([
    true,
    false,
    false,
  ]);
});

test("the pending step is shown for active users only", () => {
  const invitedAt = "2026-05-01T09:00:00.000Z";
  const said = (more: Partial<User>) => pendingStep({ ...user, ...more });
  expect([said({}), said({ mustChangePassword: true }), said({ invitedAt }), said({ invitedAt, lockedUntil: soon() })]).toEqual([
    undefined,
    "Must change password",
    "Active, invitation not accepted",
    "Locked",
  ]);
  expect(said({ isActive: false, invitedAt, mustChangePassword: true, lockedUntil: soon() })).toBeUndefined();
});
