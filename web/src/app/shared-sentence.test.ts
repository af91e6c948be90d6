import { expect, test } from "vitest";
import { sayOnce } from "./shared-sentence.ts";

const both = "Name and email are required";
const lacks = { name: "Name is required", email: "Email is required" };
const said = (errors: Partial<Record<"name" | "email" | "phone", string>>) => {
  const { sentence, field } = sayOnce(both, lacks, (name: "name" | "email" | "phone") => ({ error: errors[name] }));
  return [sentence, field("name").error, field("email").error, field("phone").error];
};

test("a sentence about two fields is said once, and only at the field that lacks something is said what", () => {
  expect(said({ name: both })).toEqual([both, "Name is required", undefined, undefined]);
  expect(said({ name: both, email: both })).toEqual([both, "Name is required", "Email is required", undefined]);
});

test("what else is wrong stays as it is", () => {
  expect(said({ email: "Must be a valid email address", phone: "Is too long" })).toEqual([
    undefined,
    undefined,
    "Must be a valid email address",
    "Is too long",
  ]);
});
