import type { ComponentProps } from "react";
import { TextField } from "../../components/form/fields.tsx";
import { ApiError } from "../../lib/api/api-error.ts";

/** The server asks for the password if the last login was a while ago: the screen may be unattended. */
export const wantsPassword = (error: unknown): boolean =>
  error instanceof ApiError && error.problem?.fields?.["currentPassword"] !== undefined;

export const OwnPasswordField = (field: Omit<ComponentProps<typeof TextField>, "hint" | "type" | "autoComplete">) => (
  <TextField
    hint="You signed in a while ago, so please enter your password first."
    type="password"
    autoComplete="current-password"
    {...field}
  />
);
