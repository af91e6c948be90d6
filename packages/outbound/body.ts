import { isUtf8 } from "node:buffer";

/** Deeper than any record or answer is, and far from what would exhaust a stack. */
const maxDepth = 100;

/** The charsets that answers come in; JSON is UTF-8 (RFC 8259 8.1), and some servers still write Latin-1. */
const charsets: Readonly<Record<string, "utf8" | "latin1">> = {
  "utf-8": "utf8",
  utf8: "utf8",
  "us-ascii": "utf8",
  "iso-8859-1": "latin1",
  latin1: "latin1",
};

function charsetOf(contentType: string | undefined): "utf8" | "latin1" | undefined {
  const named = /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(contentType ?? "")?.[1]?.toLowerCase();
  if (named === undefined) return "utf8";
  return Object.hasOwn(charsets, named) ? charsets[named] : undefined;
}

export const readText = (bytes: Buffer, contentType: string | undefined): string => bytes.toString(charsetOf(contentType) ?? "utf8");

/** The body as JSON. SyntaxError for what is none, in an unknown charset, not UTF-8 as it should be, or nested more than 100 deep. */
export function readJson(bytes: Buffer, contentType: string | undefined): unknown {
  const charset = charsetOf(contentType);
  if (charset === undefined || (charset === "utf8" && !isUtf8(bytes))) throw new SyntaxError("The body is in a charset that is not read");
  if (depthOf(bytes) > maxDepth) throw new SyntaxError("The body is nested too deep");
  // RFC 8259 lets a reader pass over a byte order mark
  return JSON.parse(bytes.toString(charset).replace(/^\uFEFF/, "")) as unknown;
}

const [quote, backslash] = [0x22, 0x5c];
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d];

/** How deep lists and objects lie in each other; ends as soon as that is too deep. */
function depthOf(bytes: Buffer): number {
  let depth = 0;
  let deepest = 0;
  for (let at = 0; at < bytes.length && deepest <= maxDepth; at++) {
    const byte = bytes[at];
    if (byte === quote) at = endOfString(bytes, at);
    else if (byte === openBrace || byte === openBracket) deepest = Math.max(deepest, ++depth);
    else if (byte === closeBrace || byte === closeBracket) depth--;
  }
  return deepest;
}

/** Where the string ends that starts here: at the next quote that no odd number of backslashes precedes. */
function endOfString(bytes: Buffer, start: number): number {
  for (let end = bytes.indexOf(quote, start + 1); end >= 0; end = bytes.indexOf(quote, end + 1)) {
    let slashes = 0;
    while (bytes[end - 1 - slashes] === backslash) slashes++;
    if (slashes % 2 === 0) return end;
  }
  return bytes.length;
}
