import { expect, test } from "vitest";
import { ApiError } from "../api/api-error.ts";
import { tellAtFields } from "./request-form.ts";

const refusal = (fields?: Record<string, string>) =>
  new ApiError(400, "Bad Request", JSON.stringify({ error: "Not like this.", code: "invalid_request", requestId: "r", fields }));

const tell = (error: unknown) => {
  const told: unknown[] = [];
  const sentence = tellAtFields<{ password: string; repeated: string }>(["password", "repeated"])(error, {
    setError: (...given) => void told.push(given),
    setFocus: () => undefined,
  });
  return { told, sentence };
};

test("a refusal stands at the fields it names, and the first of them takes the focus", () => {
  expect(tell(refusal({ repeated: "Is another", password: "Is too easy to guess" }))).toEqual({
    told: [
      ["password", { message: "Is too easy to guess" }, { shouldFocus: true }],
      ["repeated", { message: "Is another" }, { shouldFocus: false }],
    ],
    sentence: undefined,
  });
});

test("a refusal that names no field of the form is a sentence for the whole form", () => {
  for (const error of [refusal(), refusal({ token: "Is required" })]) expect(tell(error)).toEqual({ told: [], sentence: "Not like this." });
  expect(tell(new TypeError("Failed to fetch")).sentence).toMatch(/could not be reached/);
});
