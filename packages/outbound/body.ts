import { isUtf8 } from "node:buffer";

/** Deeper than any real response, and far from exhausting the stack. */
const maxDepth = 100;

/** JSON is UTF-8 (RFC 8259 section 8.1), but some servers still send Latin-1. */
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

/** Parses a JSON body. SyntaxError when it is malformed, nested more than 100 deep, not valid UTF-8, or in an unknown charset. */
export function readJson(bytes: Buffer, contentType: string | undefined): unknown {
  const charset = charsetOf(contentType);
  if (charset === undefined || (charset === "utf8" && !isUtf8(bytes))) throw new SyntaxError("The body is in a charset that is not read");
  if (depthOf(bytes) > maxDepth) throw new SyntaxError("The body is nested too deep");
  // RFC 8259 lets a parser ignore a byte order mark.
  return JSON.parse(bytes.toString(charset).replace(/^\uFEFF/, "")) as unknown;
}

const [quote, backslash] = [0x22, 0x5c];
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d];

/** The nesting depth of arrays and objects; stops counting above the maximum. */
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

/** The index of the closing quote: the next one that is not escaped. */
function endOfString(bytes: Buffer, start: number): number {
  for (let end = bytes.indexOf(quote, start + 1); end >= 0; end = bytes.indexOf(quote, end + 1)) {
    let slashes = 0;
    while (bytes[end - 1 - slashes] === backslash) slashes++;
    if (slashes % 2 === 0) return end;
  }
  return bytes.length;
}
