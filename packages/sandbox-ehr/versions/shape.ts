import { Refusal } from "../http/http.ts";

/**
 * Elements of each type: "name" is a string, "name:Type" another type, "[]" a list, "!" required; boolean, number and any stand for
 * themselves.
 */
export type Shapes = Record<string, string>;

interface Element {
  type: string;
  list: boolean;
  required: boolean;
}
type Table = Map<string, Map<string, Element>>;

const everyElement = "id extension:any[]";
const everyResource = "id meta:Meta implicitRules language text:any contained:any[] extension:any[] modifierExtension:any[] resourceType";

/** The check throws a Refusal: 400 for an unknown or wrongly typed element, 422 for a missing one. */
export function shapeCheck(shapes: Shapes): (type: string, body: object) => void {
  const table: Table = new Map(Object.entries(shapes).map(([type, text]) => [type, elementsOf(`${text} ${everyElement}`)]));
  return (type, body) => {
    const elements = table.get(type);
    if (!elements) throw new Refusal(405, "not-supported", `${type} cannot be written here`);
    checkObject(table, new Map([...elements, ...elementsOf(everyResource)]), type, body);
  };
}

const elementsOf = (text: string): Map<string, Element> =>
  new Map(
    text.split(" ").map((word) => {
      const [, name = "", type = "text", list, required] = /^(\w+)(?::(\w+))?(\[\])?(!)?$/.exec(word) ?? [];
      return [name, { type, list: list !== undefined, required: required !== undefined }];
    }),
  );

function checkObject(table: Table, elements: Map<string, Element>, path: string, value: object): void {
  for (const [name, part] of Object.entries(value)) {
    const element = elements.get(name.replace(/^_/, ""));
    if (!element) throw new Refusal(400, "structure", `${path} has no element "${name}" in this version`);
    if (name.startsWith("_") || part === undefined) continue;
    if (Array.isArray(part) !== element.list)
      throw new Refusal(400, "structure", `${path}.${name} is ${element.list ? "" : "not "}a list in this version`);
    for (const one of [part].flat() as unknown[]) checkPart(table, element.type, `${path}.${name}`, one);
  }
  for (const [name, { required }] of elements)
    if (required && !(name in value)) throw new Refusal(422, "required", `${path}.${name} is missing`);
}

function checkPart(table: Table, type: string, path: string, value: unknown): void {
  if (type === "any" || (type === "text" && value === null)) return;
  const elements = table.get(type);
  const fits = elements ? typeof value === "object" && value !== null : typeof value === (type === "text" ? "string" : type);
  if (!fits) throw new Refusal(400, "structure", `${path} is not a ${type} in this version`);
  if (elements) checkObject(table, elements, path, value as object);
}
