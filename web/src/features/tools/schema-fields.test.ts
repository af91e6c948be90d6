import { expect, test } from "vitest";
import { fieldsOf, labelOf } from "./schema-fields.ts";

const kinds = (properties: Record<string, unknown>, required: string[] = []) =>
  Object.fromEntries(fieldsOf({ type: "object", properties, required }).map(({ name, ...field }) => [name, field]));

test("formats names as words", () => {
  expect(["dateOfBirth", "slotId", "member_id", "to", "URL", "zipCode2"].map(labelOf)).toEqual([
    "Date of birth",
    "Slot ID",
    "Member ID",
    "To",
    "URL",
    "Zip code2",
  ]);
});

test("each type has a suitable control, and unsupported types are entered as JSON", () => {
  const fields = kinds(
    {
      name: { type: ["string", "number", "null"], description: "As the caller says it" },
      day: { type: "string", format: "date" },
      count: { type: ["integer", "null"] },
      isNew: { type: "boolean", anyOf: [{ type: "boolean" }, { type: "string" }] },
      action: { type: "string", enum: ["find", "book"] },
      categories: { type: "array", items: { type: "string", enum: ["labs", "vitals"] } },
      notes: { type: "array", items: { type: "string" } },
      contact: { type: "object", properties: { email: { type: "string" } }, required: ["email"] },
      anything: {},
      extra: { type: "object" },
      size: { enum: [1, 2] },
      matrix: { type: "array", items: { type: "array" } },
      both: { type: ["string", "boolean"] },
      odd: true,
    },
    ["name"],
  );
  expect(Object.fromEntries(Object.entries(fields).map(([name, { kind }]) => [name, kind]))).toEqual({
    name: "text",
    day: "date",
    count: "number",
    isNew: "yesNo",
    action: "choice",
    categories: "choices",
    notes: "lines",
    contact: "group",
    anything: "json",
    extra: "json",
    size: "json",
    matrix: "json",
    both: "json",
    odd: "json",
  });
  expect(fields["name"]).toMatchObject({ label: "Name", hint: "As the caller says it", isRequired: true });
  expect(fields["action"]).toMatchObject({ options: ["find", "book"], isRequired: false });
  expect(fields["contact"]).toMatchObject({ fields: [{ path: "contact/email", isRequired: true, kind: "text" }] });
});

test.each([[undefined], [null], ["text"], [{}], [{ type: "object" }], [{ properties: 7 }]])("%j has no fields", (schema) => {
  expect(fieldsOf(schema)).toEqual([]);
});
