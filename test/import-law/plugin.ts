import { placeOf } from "./place.ts";
import { law } from "./law.ts";

/** Every way a module can name another one, types included. */
const sources = ["ImportDeclaration", "ExportNamedDeclaration", "ExportAllDeclaration", "ImportExpression", "TSImportType"];

type Literal = { value?: unknown };
type Node = { source?: Literal | null; argument?: Literal & { literal?: Literal } };
type LintContext = { filename: string; cwd: string; report(finding: { node: Node; message: string }): void };

const nameIn = ({ source, argument }: Node): string | undefined => {
  const literal = source ?? argument?.literal ?? argument;
  return typeof literal?.value === "string" ? literal.value : undefined;
};

const importLaw = {
  create(context: LintContext) {
    const place = placeOf(context.filename, context.cwd);
    const report = (node: Node) => {
      const wanted = nameIn(node);
      const why = wanted === undefined ? undefined : law(place, wanted);
      if (why) context.report({ node, message: why });
    };
    return Object.fromEntries(sources.map((type) => [type, report]));
  },
};

export default { meta: { name: "vitaline" }, rules: { "import-law": importLaw } };
