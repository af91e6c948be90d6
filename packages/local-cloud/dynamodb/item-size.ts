import type { AttributeValue, Item } from "../aws/types.ts";

/** The limit of one item, names and values together. */
export const MAX_ITEM_BYTES = 400 * 1024;

/** Bytes of an item by DynamoDB's published rules: UTF-8 names plus values. */
export function itemSize(item: Item | undefined): number {
  if (!item) return 0;
  let bytes = 0;
  for (const [name, value] of Object.entries(item)) {
    // dynalite leaves undefined where an index projects an attribute that the item lacks
    if (value) bytes += Buffer.byteLength(name) + valueSize(value);
  }
  return bytes;
}

function valueSize(value: AttributeValue): number {
  if (value.S !== undefined) return Buffer.byteLength(value.S);
  if (value.N !== undefined) return numberSize(value.N);
  if (value.B !== undefined) return binarySize(value.B);
  if (value.SS) return sum(value.SS, (text) => Buffer.byteLength(text));
  if (value.NS) return sum(value.NS, numberSize);
  if (value.BS) return sum(value.BS, binarySize);
  if (value.L) return 3 + sum(value.L, (member) => 1 + valueSize(member));
  if (value.M) return 3 + Object.keys(value.M).length + itemSize(value.M);
  return 1;
}

/** About one byte per two significant digits, and one more; AWS says "approximately". */
function numberSize(number: string): number {
  const digits = number.replace(/[-.]/g, "").replace(/^0+|0+$/g, "");
  return Math.ceil(digits.length / 2) + 1 + (number.startsWith("-") ? 1 : 0);
}

function binarySize(base64: string): number {
  return Buffer.byteLength(base64, "base64");
}

function sum<T>(members: T[], size: (member: T) => number): number {
  return members.reduce((total, member) => total + size(member), 0);
}
