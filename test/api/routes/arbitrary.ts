import fc from "fast-check";

export type JsonSchema = {
  type?: string;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  allOf?: JsonSchema[];
  enum?: unknown[];
  const?: unknown;
  format?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
};

export function arbitraryOf(schema: JsonSchema, ids: readonly string[], name = ""): fc.Arbitrary<unknown> {
  if ("const" in schema) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return fc.oneof(...choices.map((choice) => arbitraryOf(choice, ids, name)));
  const [first] = schema.allOf ?? [];
  if (first) return arbitraryOf({ ...first, ...schema, allOf: undefined }, ids, name);
  switch (schema.type ?? "any") {
    case "object":
      return objectOf(schema, ids);
    case "array":
      return fc.array(arbitraryOf(schema.items ?? {}, ids, name), { maxLength: 3 });
    case "string":
      return textOf(schema, ids, name);
    case "integer":
      return fc.integer({ min: schema.minimum ?? 0, max: Math.min(schema.maximum ?? 1000, 1_000_000) });
    case "number":
      return fc.double({ min: schema.minimum ?? 0, max: Math.min(schema.maximum ?? 1000, 1_000_000), noNaN: true });
    case "boolean":
      return fc.boolean();
    case "null":
      return fc.constant(null);
    default:
      return fc.oneof(fc.constant({}), text(20), fc.constant(null));
  }
}

function objectOf({ properties = {}, required = [] }: JsonSchema, ids: readonly string[]): fc.Arbitrary<unknown> {
  const fields = Object.fromEntries(Object.entries(properties).map(([name, inner]) => [name, arbitraryOf(inner, ids, name)]));
  return fc.record(fields, { requiredKeys: required.filter((name) => name in fields) });
}

const text = (maxLength: number): fc.Arbitrary<string> => fc.string({ minLength: 1, maxLength: Math.min(maxLength, 40) });

function textOf(
  { format, pattern, minLength = 0, maxLength = 40 }: JsonSchema,
  ids: readonly string[],
  name: string,
): fc.Arbitrary<string> {
  if (/id$/i.test(name) && ids.length > 0) return fc.constantFrom(...ids);
  if (format === "email" || /email$/i.test(name)) return fc.uuid().map((word) => `${word}@fuzz.example`);
  if (format === "uri" || /url$/i.test(name)) return fc.constantFrom("https://fhir.fuzz.example/r4", "https://fuzz.example/{tenant}/token");
  if (format === "date-time")
    return fc.date({ noInvalidDate: true, min: new Date(2020, 0), max: new Date(2030, 0) }).map((at) => at.toISOString());
  if (pattern) return matching(pattern);
  return fc.oneof(
    text(maxLength),
    fc.uuid().map((word) => word.slice(0, Math.max(minLength, Math.min(maxLength, 30)))),
  );
}

/** fast-check generates simple patterns; zod's longer ones use lookahead, which it does not support. */
function matching(pattern: string): fc.Arbitrary<string> {
  try {
    return fc.stringMatching(new RegExp(pattern, "u"));
  } catch {
    return text(20);
  }
}

export const hostile: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    "",
    " ",
    "\u0000",
    "line\r\nbreak",
    "\u202Egnp.exe",
    "=HYPERLINK(1)",
    "<script>alert(1)</script>",
    "' OR 1=1 --",
    "../../etc/passwd",
    "${jndi:ldap://x}",
    "TENANT#x#CONFIG",
    0,
    -1,
    1e308,
    true,
    [],
    {},
    [[[[[]]]]],
    { $ne: null },
    { __proto__: { isAdmin: true }, constructor: 1 },
  ),
  fc.string({ unit: "binary", maxLength: 60 }),
  fc.integer({ min: 1, max: 3 }).map((times) => "x".repeat(10 ** (times + 2))),
  fc.jsonValue({ maxDepth: 4 }),
);

type Bent = { field: number; how: "drop" | "replace" | "add"; with: unknown };
const corrupt: fc.Arbitrary<Bent> = fc.record({
  field: fc.nat(20),
  how: fc.constantFrom("drop", "replace", "add"),
  with: hostile,
});

export const nearly = (valid: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.tuple(valid, corrupt).map(([value, { field, how, with: other }]) => {
    if (typeof value !== "object" || value === null) return other;
    const names = Object.keys(value);
    const name = names[field % Math.max(1, names.length)] ?? "none";
    const { [name]: _gone, ...rest } = value as Record<string, unknown>;
    return how === "drop" ? rest : how === "replace" ? { ...rest, [name]: other } : { ...value, [`extra${field}`]: other };
  });
