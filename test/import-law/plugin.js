import { placeOf } from "./place.js";
import { law } from "./law.js";

/** Every way a module can name another one, types included. */
const sources = ["ImportDeclaration", "ExportNamedDeclaration", "ExportAllDeclaration", "ImportExpression", "TSImportType"];

const nameIn = (node) => {
  const source = node.source ?? node.argument?.literal ?? node.argument;
  return typeof source?.value === "string" ? source.value : undefined;
};

const importLaw = {
  create(context) {
    const place = placeOf(context.filename, context.cwd);
    const report = (node) => {
      const wanted = nameIn(node);
      const why = wanted === undefined ? undefined : law(place, wanted);
      if (why) context.report({ node, message: why });
    };
    return Object.fromEntries(sources.map((type) => [type, report]));
  },
};

export default { meta: { name: "vitaline" }, rules: { "import-law": importLaw } };
