type Node = string | number | boolean | undefined | Node[] | { [tag: string]: Node };

/** Arrays repeat their tag; undefined values are omitted. */
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

export function textsOf(document: string, tag: string): string[] {
  return [...document.matchAll(new RegExp(`<${tag}>([^<]*)</${tag}>`, "g"))].map(([, text]) =>
    text!.replaceAll("&quot;", '"').replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&"),
  );
}
