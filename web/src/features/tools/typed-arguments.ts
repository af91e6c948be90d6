import type { ArgumentField } from "./schema-fields.ts";

/** Texts by field path; lists have one value per line. */
export type ArgumentTexts = Readonly<Record<string, string>>;
type ReadArguments = { values: Record<string, unknown>; errors: Record<string, string> };

type Read = { value?: unknown; errors?: Record<string, string> };

export const splitLines = (text: string): string[] =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);

const isFilled = (field: ArgumentField, typed: ArgumentTexts): boolean =>
  field.kind === "group" ? field.fields.some((inner) => isFilled(inner, typed)) : (typed[field.path] ?? "").trim() !== "";

/** JSON has neither infinity nor a negative zero. */
const jsonNumber = (value: number): number | undefined => (Number.isFinite(value) ? value + 0 : undefined);

const jsonValue = (_: string, value: unknown): unknown => {
  if (typeof value !== "number") return value;
  const number = jsonNumber(value);
  if (number === undefined) throw new RangeError("Too large a number");
  return number;
};

const readJson = (text: string): Read | undefined => {
  try {
    return { value: JSON.parse(text, jsonValue) as unknown };
  } catch {
    return undefined;
  }
};

const readText = (field: Exclude<ArgumentField, { kind: "group" }>, text: string): Read => {
  const wrong = (message: string): Read => ({ errors: { [field.path]: message } });
  switch (field.kind) {
    case "number": {
      const value = jsonNumber(Number(text));
      return value === undefined ? wrong("Must be a number") : { value };
    }
    case "yesNo":
      return { value: text === "true" };
    case "lines":
    case "choices":
      return { value: splitLines(text) };
    case "json":
      return readJson(text) ?? wrong("Must be JSON");
    case "text":
    case "date":
    case "choice":
      return { value: text };
  }
};

const readField = (field: ArgumentField, typed: ArgumentTexts): Read => {
  if (!isFilled(field, typed) && !(field.isRequired && field.kind === "group"))
    return field.isRequired ? { errors: { [field.path]: "Is required" } } : {};
  if (field.kind !== "group") return readText(field, (typed[field.path] ?? "").trim());
  const { values, errors } = readArguments(field.fields, typed);
  return { value: values, errors };
};

/** Converts the texts to arguments. Empty fields are left out. */
export function readArguments(fields: readonly ArgumentField[], typed: ArgumentTexts): ReadArguments {
  const read = fields.map((field) => ({ field, ...readField(field, typed) }));
  return {
    values: Object.fromEntries(read.filter(({ value }) => value !== undefined).map(({ field, value }) => [field.name, value])),
    errors: Object.assign({}, ...read.map(({ errors }) => errors ?? {})) as Record<string, string>,
  };
}
