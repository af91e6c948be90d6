import { ApiError, explain } from "../../lib/api/api-error.ts";

/** What a refused sign-in says: the server's sentence, else 'Login failed' with what is known beyond that. */
export const loginFailure = (error: unknown): string => {
  if (!(error instanceof ApiError)) return `Login failed. ${explain(error)}`;
  return error.problem?.error ?? "Login failed";
};
