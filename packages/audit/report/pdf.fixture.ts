import { inflateSync } from "node:zlib";

const decoder = new TextDecoder("windows-1252");

/** The texts of a PDF by page, in drawing order. Throws if the cross-reference table is wrong or a stream is damaged. */
export function textsOfPdf(file: Buffer): string[][] {
  const latin1 = file.toString("latin1");
  const start = Number(/startxref\n(\d+)\n%%EOF\n$/.exec(latin1)?.[1]);
  const [, count = "0"] = /^xref\n0 (\d+)\n/.exec(latin1.slice(start)) ?? [];
  const entries = [...latin1.slice(start).matchAll(/(\d{10}) \d{5} ([nf]) \n/g)];
  if (entries.length !== Number(count)) throw new Error("The cross-reference table is incomplete");
  return entries.flatMap(([, place, use], id) => {
    if (use === "f") return [];
    const body = latin1.slice(Number(place));
    if (!body.startsWith(`${id} 0 obj\n`)) throw new Error(`Object ${id} is not at its offset`);
    const stream = /^[^\n]*\n<< \/Length (\d+) \/Filter \/FlateDecode >>\nstream\n/.exec(body);
    if (!stream) return [];
    const from = Number(place) + stream[0].length;
    const content = inflateSync(file.subarray(from, from + Number(stream[1]))).toString("latin1");
    return [[...content.matchAll(/\(((?:[^\\()]|\\.)*)\) Tj/g)].map(([, text = ""]) => decode(text.replaceAll(/\\(.)/g, "$1")))];
  });
}

const decode = (text: string): string => decoder.decode(Buffer.from(text, "latin1"));
