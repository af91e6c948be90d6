import { readFileSync } from "node:fs";
import type { Plugin } from "esbuild";

/** A constant of a module, of one or more lines, that is neither a function nor a plain text or number. */
const definition =
  /^((?:export )?const \w+(?:: [^=\n]+)? = )(?![(<]|async |function|\w+ =>|["'\d`])(.*(?:\n[ \t].*|\n(?=\n*[ \t]))*(?:\n[}\])].*(?:\n[ \t].*)*)*);$/gm;
const asPure = (source: string): string => source.replace(definition, "$1/* @__PURE__ */ (() => ($2))();");

/** Of the MCP SDK: all of its schemas by name, which nothing here asks for. */
const schemaList =
  /^const _specTypeSchemas = \{\};\nconst _isSpecType = \{\};\nfunction register[^]*?\n\}\nfor .*\nfor .*\n[^]*?^const specTypeSchemas = [^]*?^const isSpecType = .*$/m;

const changes: { filter: RegExp; loader: "js" | "ts"; change(source: string): string; mustChange?: true }[] = [
  { filter: /\/packages\/contract\/.*\.ts$/, loader: "ts", change: asPure },
  { filter: /@modelcontextprotocol\/core\/dist\/(?:schemas|auth)-[\w-]+\.mjs$/, loader: "js", change: asPure, mustChange: true },
  {
    filter: /@modelcontextprotocol\/server\/dist\/src-[\w-]+\.mjs$/,
    loader: "js",
    change: (source) => source.replace(schemaList, "const specTypeSchemas = undefined, isSpecType = undefined;"),
    mustChange: true,
  },
];

/**
 * Schemas and routes are built as their modules are loaded, and esbuild cannot tell that this has no other effect: a function would build
 * all of the contract's, and MCP all of the protocol's, for up to a fifth of its load time. Marked as pure, those that nothing uses are left
 * out. Throws for a version of the MCP SDK in another form.
 */
export const pureDefinitions: Plugin = {
  name: "pure-definitions",
  setup(on) {
    for (const { filter, loader, change, mustChange } of changes)
      on.onLoad({ filter }, ({ path: file }) => {
        const source = readFileSync(file, "utf8");
        const contents = change(source);
        if (mustChange && contents === source) throw new Error(`${file} has another form; see pureDefinitions.`);
        return { contents, loader };
      });
  },
};
