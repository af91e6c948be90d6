import { expect, test } from "vitest";
import { ApiError } from "../../lib/api/api-error.ts";
import { loginFailure } from "./sign-in-steps.tsx";

test("a refused sign-in shows the server's text", () => {
  const body = JSON.stringify({ error: "Email or password is not correct.", code: "invalid_credentials", requestId: "r" });
  expect(loginFailure(new ApiError(401, "Unauthorized", body))).toBe("Email or password is not correct.");
});

test("without the server's words it says 'Login failed', and no markup", () => {
  expect(loginFailure(new ApiError(502, "Bad Gateway", "<html>"))).toBe("Login failed");
  expect(loginFailure(new TypeError("Failed to fetch"))).toMatch(/^Login failed\. The server could not be reached/);
});
