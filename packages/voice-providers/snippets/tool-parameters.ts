import type { JsonSchema } from "@vitaline/tools";

/** The subset of JSON Schema that Vapi, Retell AI and ElevenLabs accept. Source: their SDKs 2.0.1, 5.66.1 and 2.73.0. */
export type PlainValue = { type: "string" | "number" | "boolean"; description: string; enum?: string[] };
export type PlainList = { type: "array"; description: string; items: PlainValue };
export type Parameters = { type: "object"; properties: Record<string, PlainValue | PlainList>; required: string[] };

const plainTypes = ["string", "number", "boolean"] as const;
/** A value of several types is sent as text. */
const typeOf = (type: unknown): PlainValue["type"] => plainTypes.find((toPlain) => toPlain === type) ?? "string";
/** "firstName" becomes "first name": ElevenLabs fills in only described parameters. */
const humanize = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

const toPlainValue = (name: string, { type, description = humanize(name), enum: words }: JsonSchema): PlainValue => ({
  type: typeOf(type),
  description,
  ...(words ? { enum: words.map(String) } : {}),
});

const toPlain = (name: string, schema: JsonSchema): PlainValue | PlainList =>
  schema.type === "array"
    ? {
        type: "array",
        description: schema.description ?? humanize(name),
        items: toPlainValue(name, { description: "One of them", ...schema.items }),
      }
    : toPlainValue(name, schema);

/** Constraints outside that subset are checked by the tool. */
export const parametersOf = ({ properties = {}, required = [] }: JsonSchema): Parameters => ({
  type: "object",
  properties: Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, toPlain(name, schema)])),
  required,
});
