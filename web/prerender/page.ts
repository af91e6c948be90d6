import { createHash } from "node:crypto";
import type { Rendered } from "../src/app/prerender.tsx";

/** The CSP source expression of an inline style or script. */
export const cspHash = (text: string): string => `sha256-${createHash("sha256").update(text).digest("base64")}`;

const headElement = /^(?:<title>.*?<\/title>|<meta [^>]*>|<link [^>]*>)/;

/** Separates the elements of <head>, which React renders in front of the markup. */
export const splitHead = (html: string): { head: string; body: string } => {
  let head = "";
  let body = html;
  for (let match = headElement.exec(body); match; match = headElement.exec(body)) {
    head += match[0];
    body = body.slice(match[0].length);
  }
  return { head, body };
};

const refused = /<script|\sstyle="/;

type Ahead = {
  /** Addresses of scripts. */
  preloads: readonly string[];
  /** Addresses that a user of this role reads first. */
  first?: { role: string; reads: readonly string[] } | undefined;
};

/** Puts a rendered page into the built document. Throws for markup that the CSP refuses. */
export const assemble = (template: string, { html, styles }: Rendered, { preloads, first }: Ahead): string => {
  const { head, body } = splitHead(html);
  const found = refused.exec(body);
  if (found)
    throw new Error(`A prerendered page must not hold ${found[0].trim()}: ${body.slice(Math.max(0, found.index - 200), found.index + 80)}`);
  const links = preloads.map((address) => `<link rel="modulepreload" crossorigin href="${address}">`);
  const blocks = styles.map(({ name, css }) => `<style data-emotion="${name}">${css}</style>`);
  const root = '<div id="root"></div>';
  if (!template.includes(root)) throw new Error("The built document has no empty #root.");
  const attributes = first ? ` data-role="${first.role}" data-reads="${first.reads.join(" ").replaceAll("&", "&amp;")}"` : "";
  return template
    .replace("<html", () => `<html${attributes}`)
    .replace("</head>", () => [head, ...links, ...blocks, "</head>"].join(""))
    .replace(root, () => `<div id="root">${body}</div>`);
};

const inline = (html: string, tag: "script" | "style"): string[] =>
  [...html.matchAll(new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`, "g"))].map(([, text]) => text ?? "");

export const inlineScripts = (html: string): string[] => inline(html, "script");
export const inlineStyles = (html: string): string[] => inline(html, "style");
