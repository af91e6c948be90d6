import { inflateSync } from "node:zlib";

/** Windows-1252 to text. */
const decoder = new TextDecoder("windows-1252");

/** The texts of a PDF page after page, each as it was drawn; every stream must inflate and every object lie where the table of places says. */
export function textsOfPdf(file: Buffer): string[][] {
  const latin1 = file.toString("latin1");
  const start = Number(/startxref\n(\d+)\n%%EOF\n$/.exec(latin1)?.[1]);
  const [, count = "0"] = /^xref\n0 (\d+)\n/.exec(latin1.slice(start)) ?? [];
  const entries = [...latin1.slice(start).matchAll(/(\d{10}) \d{5} ([nf]) \n/g)];
  if (entries.length !== Number(count)) throw new Error("The table of places is not whole");
  return entries.flatMap(([, place, use], id) => {
    if (use === "f") return [];
    const body = latin1.slice(Number(place));
    if (!body.startsWith(`${id} 0 obj\n`)) throw new Error(`Object ${id} is not where it should be`);
    const stream = /^[^\n]*\n<< \/Length (\d+) \/Filter \/FlateDecode >>\nstream\n/.exec(body);
    if (!stream) return [];
    const from = Number(place) + stream[0].length;
    const content = inflateSync(file.subarray(from, from + Number(stream[1]))).toString("latin1");
    return [[...content.matchAll(/\(((?:[^\\()]|\\.)*)\) Tj/g)].map(([, text = ""]) => decode(text.replaceAll(/\\(.)/g, "$1")))];
  });
}

const decode = (text: string): string => decoder.decode(Buffer.from(text, "latin1"));
