import * as z from "zod/mini";
import { expect, test } from "vitest";
import { changedLine, optionalLine, phoneNumber } from "./fields.ts";

const parsed = (schema: z.ZodMiniType, value: unknown) => z.safeParse(z.object({ field: schema }), value).data;

test("an optional line is absent when it is blank, null or missing", () => {
  for (const value of [{ field: "" }, { field: "  " }, { field: null }, {}]) expect(parsed(optionalLine(5), value)?.field).toBeUndefined();
  expect(parsed(optionalLine(5), { field: " text " })).toEqual({ field: "text" });
});

test("a changed line keeps its value when missing, and is cleared by null and by blank text", () => {
  expect(parsed(changedLine(5), {})).toEqual({});
  for (const field of ["", "  ", null]) expect(parsed(changedLine(5), { field })).toEqual({ field: null });
  expect(parsed(changedLine(5), { field: "text" })).toEqual({ field: "text" });
});

test("a line that is too long or has a line break is refused", () => {
  for (const schema of [optionalLine(5), changedLine(5)])
    for (const field of ["123456", "a\nb"]) expect(parsed(schema, { field })).toBeUndefined();
});

test("a phone number has at least seven digits, however they are set", () => {
  const field = optionalLine(40, phoneNumber);
  const given = ["555 0199", "(617) 555-0100", "+44 20 7946 0018", "617 555 0100 ext. 12", ""];
  expect(given.filter((text) => parsed(field, { field: text }) === undefined)).toEqual([]);
  for (const text of ["555", "555-010", "call us", "1".repeat(21)])
    expect([text, parsed(field, { field: text })]).toEqual([text, undefined]);
  expect(parsed(changedLine(40, phoneNumber), { field: "555" })).toBeUndefined();
});
