import { deflateSync } from "node:zlib";

/** Points; A4 lying down. */
export const paper = { width: 842, height: 595 };

const catalog = 1;
const pages = 2;
const fonts = { regular: 3, bold: 4 };
const information = 5;
const firstPage = 6;

/**
 * A PDF 1.4 file as its pages come: each is handed out at once, only its place is remembered. `content` is a page's
 * content stream in Latin-1, with the fonts /F1 (Helvetica) and /F2 (bold). Source: ISO 32000-1, 7.5.
 */
export function pdfFile(title: string) {
  const places: number[] = [];
  let length = 0;
  let pageCount = 0;

  const say = (text: string | Buffer): Buffer => {
    const bytes = typeof text === "string" ? Buffer.from(text, "latin1") : text;
    length += bytes.length;
    return bytes;
  };
  const object = (id: number, body: string): Buffer => {
    places[id] = length;
    return say(`${id} 0 obj\n${body}\nendobj\n`);
  };
  const stream = (id: number, content: string): Buffer => {
    const packed = deflateSync(Buffer.from(content, "latin1"));
    places[id] = length;
    return Buffer.concat([
      say(`${id} 0 obj\n<< /Length ${packed.length} /Filter /FlateDecode >>\nstream\n`),
      say(packed),
      say("\nendstream\nendobj\n"),
    ]);
  };
  const font = (id: number, name: string): Buffer =>
    object(id, `<< /Type /Font /Subtype /Type1 /BaseFont /${name} /Encoding /WinAnsiEncoding >>`);

  return {
    head: (): Buffer =>
      Buffer.concat([
        // Four bytes above 127 tell whoever transfers the file that it is no text.
        say("%PDF-1.4\n%\xe2\xe3\xcf\xd3\n"),
        object(catalog, `<< /Type /Catalog /Pages ${pages} 0 R >>`),
        font(fonts.regular, "Helvetica"),
        font(fonts.bold, "Helvetica-Bold"),
        object(information, `<< /Title ${title} /Producer (Vitaline) >>`),
      ]),
    page(content: string): Buffer {
      const id = firstPage + 2 * pageCount;
      pageCount += 1;
      const about = `<< /Type /Page /Parent ${pages} 0 R /Contents ${id + 1} 0 R >>`;
      return Buffer.concat([object(id, about), stream(id + 1, content)]);
    },
    foot(): Buffer {
      const kids = Array.from({ length: pageCount }, (_, at) => `${firstPage + 2 * at} 0 R`).join(" ");
      const resources = `/Resources << /Font << /F1 ${fonts.regular} 0 R /F2 ${fonts.bold} 0 R >> >>`;
      const tree = object(
        pages,
        `<< /Type /Pages /Count ${pageCount} /Kids [${kids}] /MediaBox [0 0 ${paper.width} ${paper.height}] ${resources} >>`,
      );
      const start = length;
      const entries = places.slice(1).map((place) => `${String(place).padStart(10, "0")} 00000 n \n`);
      const size = entries.length + 1;
      return Buffer.concat([
        tree,
        say(`xref\n0 ${size}\n0000000000 65535 f \n${entries.join("")}`),
        say(`trailer\n<< /Size ${size} /Root ${catalog} 0 R /Info ${information} 0 R >>\nstartxref\n${start}\n%%EOF\n`),
      ]);
    },
  };
}
