import { accounts, NewPassword } from "@vitaline/contract";
import * as z from "zod/mini";

/** Nobody sees what they type into these fields, so it is typed twice. */
const repeats = <F extends string>(field: F) =>
  z.refine<Record<F | "repeated", string>>((typed) => typed[field] === typed.repeated, {
    path: ["repeated"],
    error: "Must be the same as the new password",
  });

export const FirstPassword = z.object({ password: NewPassword, repeated: z.string() }).check(repeats("password"));

export const OtherPassword = z.extend(accounts.changePassword.body, { repeated: z.string() }).check(repeats("newPassword"));
