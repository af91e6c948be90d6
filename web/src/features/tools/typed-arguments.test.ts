import fc from "fast-check";
import { expect, test } from "vitest";
import { fieldsOf } from "./schema-fields.ts";
import { readArguments } from "./typed-arguments.ts";

const fields = fieldsOf({
  properties: {
    name: { type: "string" },
    count: { type: "number" },
    isNew: { type: "boolean" },
    categories: { type: "array", items: { enum: ["labs", "vitals"] } },
    notes: { type: "array", items: { type: "string" } },
    extra: {},
    contact: { type: "object", properties: { email: { type: "string" }, phone: { type: "string" } }, required: ["email"] },
  },
  required: ["name"],
});

test("converts filled fields to typed arguments and leaves out empty ones", () => {
  const typed = { name: " Ann ", count: "1.5", isNew: "false", categories: "labs\nvitals", notes: "one\n\n two ", extra: '{"a":[1]}' };
  expect(readArguments(fields, typed)).toEqual({
    values: { name: "Ann", count: 1.5, isNew: false, categories: ["labs", "vitals"], notes: ["one", "two"], extra: { a: [1] } },
    errors: {},
  });
  expect(readArguments(fields, { name: "Ann", count: "  ", "contact/email": "a@b.example" })).toEqual({
    values: { name: "Ann", contact: { email: "a@b.example" } },
    errors: {},
  });
});

test("reports errors by field, also in a partly filled group", () => {
  expect(readArguments(fields, { count: "many", extra: "{", "contact/phone": "1" }).errors).toEqual({
    name: "Is required",
    count: "Must be a number",
    extra: "Must be JSON",
    "contact/email": "Is required",
  });
});

test("any input can be read, and numbers are valid in JSON", () => {
  const typed = fc.dictionary(fc.constantFrom("name", "count", "extra", "notes", "contact/email"), fc.string());
  fc.assert(
    fc.property(typed, (given) => {
      const { values } = readArguments(fields, given);
      expect(JSON.parse(JSON.stringify(values))).toEqual(values);
    }),
    { examples: [[{ count: "-0" }], [{ extra: "[-0]" }], [{ extra: '{"a":1e999}' }], [{ count: "1e999" }]] },
  );
});

test("a property named __proto__ does not change the prototype", () => {
  const [odd] = fieldsOf(JSON.parse('{"properties":{"__proto__":{"type":"string"}}}'));
  const { values } = readArguments(odd ? [odd] : [], odd ? { [odd.path]: "x" } : {});
  expect(Object.getPrototypeOf(values)).toBe(Object.prototype);
  expect(({} as Record<string, unknown>)["x"]).toBeUndefined();
});
