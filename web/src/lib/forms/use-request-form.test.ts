import { expect, test } from "vitest";
import { ApiError } from "../api/api-error.ts";
import { showOnce, showAtFields } from "./use-request-form.ts";

const both = "Name and email are required";
const lacks = { name: "Name is required", email: "Email is required" };
const said = (errors: Partial<Record<"name" | "email" | "phone", string>>) => {
  const { sentence, field } = showOnce(both, lacks, (name: "name" | "email" | "phone") => ({ error: errors[name] }));
  return [sentence, field("name").error, field("email").error, field("phone").error];
};

test("a sentence about two fields is said once, and only at the field that lacks something is said what", () => {
  expect(said({ name: both })).toEqual([both, "Name is required", undefined, undefined]);
  expect(said({ name: both, email: both })).toEqual([both, "Name is required", "Email is required", undefined]);
});

test("other errors stay as they are", () => {
  expect(said({ email: "Must be a valid email address", phone: "Is too long" })).toEqual([
    undefined,
    undefined,
    "Must be a valid email address",
    "Is too long",
  ]);
});

const refusal = (fields?: Record<string, string>) =>
  new ApiError(400, "Bad Request", JSON.stringify({ error: "Not like this.", code: "invalid_request", requestId: "r", fields }));

const tell = (error: unknown) => {
  const told: unknown[] = [];
  const sentence = showAtFields<{ password: string; repeated: string }>(["password", "repeated"])(error, {
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
