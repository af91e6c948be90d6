type Node = string | number | boolean | undefined | Node[] | { [tag: string]: Node };

/** A small document: arrays repeat their tag, undefined leaves it out. */
export function xml(root: string, node: Node): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element(root, node)}`;
}

function element(tag: string, node: Node): string {
  if (node === undefined) return "";
  if (Array.isArray(node)) return node.map((entry) => element(tag, entry)).join("");
  const inner =
    typeof node === "object"
      ? Object.entries(node)
          .map(([name, child]) => element(name, child))
          .join("")
      : escape(String(node));
  return `<${tag}>${inner}</${tag}>`;
}

function escape(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}

/** The texts of all elements of this name, in order. */
export function textsOf(document: string, tag: string): string[] {
  return [...document.matchAll(new RegExp(`<${tag}>([^<]*)</${tag}>`, "g"))].map(([, text]) =>
    text!.replaceAll("&quot;", '"').replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&"),
  );
}
