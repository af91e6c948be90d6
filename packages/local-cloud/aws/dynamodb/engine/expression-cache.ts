import conditionParser from "dynalite/db/conditionParser.js";
import updateParser from "dynalite/db/updateParser.js";
import type { AttributeValue } from "../../types.ts";

export type ParserContext = {
  attrNames?: Record<string, string>;
  attrVals?: Record<string, AttributeValue>;
  unusedAttrNames?: Record<string, true>;
  unusedAttrVals?: Record<string, true>;
};
export type ExpressionParser = { parse(text: string, options: { context: ParserContext }): unknown };

const maxTrees = 1000;
/** Their validity depends on values, not only on types. */
const dependsOnValues = /between|attribute_type/i;

/**
 * dynalite's parsers take a tenth of a test run's processor time, and mostly see a text again with other values: its tree is kept, with
 * a symbol where a value stood. Refused texts are parsed each time.
 */
function keepTrees(parser: ExpressionParser): void {
  const parse = parser.parse;
  const trees = new Map<string, { tree: unknown; symbols: [name: string, symbol: symbol][] }>();
  parser.parse = (text, options) => {
    if (dependsOnValues.test(text)) return parse(text, options);
    const { attrNames = {}, attrVals = {}, unusedAttrNames = {}, unusedAttrVals = {} } = options.context;
    const key = JSON.stringify([text, attrNames, Object.entries(attrVals).map(([name, value]) => [name, Object.keys(value)[0]])]);
    const known = trees.get(key);
    if (known) {
      for (const [name] of text.matchAll(/#\w+/g)) delete unusedAttrNames[name];
      for (const [name] of known.symbols) delete unusedAttrVals[name];
      return replaced(known.tree, new Map(known.symbols.map(([name, symbol]) => [symbol, attrVals[name]])));
    }
    const tree = parse(text, options);
    if (typeof tree === "object") {
      if (trees.size >= maxTrees) trees.clear();
      const symbols = [...new Set(Array.from(text.matchAll(/:\w+/g), ([name]) => name))].map((name) => [name, Symbol(name)] as const);
      const kept = replaced(tree, new Map(symbols.map(([name, symbol]) => [attrVals[name], symbol])));
      trees.set(key, { tree: kept, symbols: symbols.map(([name, symbol]) => [name, symbol]) });
    }
    return tree;
  };
}

function replaced(node: unknown, by: ReadonlyMap<unknown, unknown>): unknown {
  if (by.has(node)) return by.get(node);
  if (Array.isArray(node)) return node.map((part) => replaced(part, by));
  if (typeof node !== "object" || node === null || Object.getPrototypeOf(node) !== Object.prototype) return node;
  return Object.fromEntries(Object.entries(node).map(([name, part]) => [name, replaced(part, by)]));
}

for (const parser of [conditionParser, updateParser]) keepTrees(parser);
