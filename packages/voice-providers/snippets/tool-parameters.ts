import type { JsonSchema } from "@vitaline/tools";

/** The part of JSON Schema that Vapi, Retell AI and ElevenLabs all take. Source: their SDKs 2.0.1, 5.66.1 and 2.73.0. */
export type PlainValue = { type: "string" | "number" | "boolean"; description: string; enum?: string[] };
export type PlainList = { type: "array"; description: string; items: PlainValue };
export type Parameters = { type: "object"; properties: Record<string, PlainValue | PlainList>; required: string[] };

const plainTypes = ["string", "number", "boolean"] as const;
/** Where a value may be of several types, speech is text. */
const typeOf = (type: unknown): PlainValue["type"] => plainTypes.find((plain) => plain === type) ?? "string";
/** "firstName" as "first name": ElevenLabs lets its model fill in only what is described. */
const inWords = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

const plainValue = (name: string, { type, description = inWords(name), enum: words }: JsonSchema): PlainValue => ({
  type: typeOf(type),
  description,
  ...(words ? { enum: words.map(String) } : {}),
});

const plain = (name: string, schema: JsonSchema): PlainValue | PlainList =>
  schema.type === "array"
    ? {
        type: "array",
        description: schema.description ?? inWords(name),
        items: plainValue(name, { description: "One of them", ...schema.items }),
      }
    : plainValue(name, schema);

/** A tool's arguments as every voice platform can be told of them; what a platform cannot say, the tool checks. */
export const parametersOf = ({ properties = {}, required = [] }: JsonSchema): Parameters => ({
  type: "object",
  properties: Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, plain(name, schema)])),
  required,
});
