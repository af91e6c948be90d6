import { placeOf } from "./place.ts";
import { law } from "./import-law.ts";
import { banned, bannedInComments, refusal } from "./plain-words.ts";

/** Every way a module can name another one, types included. */
const sources = ["ImportDeclaration", "ExportNamedDeclaration", "ExportAllDeclaration", "ImportExpression", "TSImportType"];

type Literal = { value?: unknown };
type Node = { source?: Literal | null; argument?: Literal & { literal?: Literal } };
type Text = Node & { value: string };
type LintContext = {
  filename: string;
  cwd: string;
  sourceCode: { getAllComments(): Text[] };
  report(finding: { node: Node; message: string }): void;
};

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

const isValue = (text: string): boolean => /^[^\s]+$/.test(text);

const plainWords = {
  create(context: LintContext) {
    const check = (node: Node, text: unknown, phrases: typeof banned) => {
      const why = typeof text === "string" ? refusal(text, phrases) : undefined;
      if (why) context.report({ node, message: why });
    };
    return {
      Program: () => {
        for (const comment of context.sourceCode.getAllComments()) check(comment, comment.value, [...banned, ...bannedInComments]);
      },
      // A stored or configured value, such as an actor's kind, is not a sentence.
      Literal: (node: Literal & Node) => check(node, typeof node.value === "string" && isValue(node.value) ? "" : node.value, banned),
      JSXText: (node: Literal & Node) => check(node, node.value, banned),
      TemplateElement: (node: Node & { value: { raw: string } }) => check(node, node.value.raw, banned),
    };
  },
};

export default { meta: { name: "vitaline" }, rules: { "import-law": importLaw, "plain-words": plainWords } };
