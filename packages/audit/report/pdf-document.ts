import { deflateSync } from "node:zlib";

/** Widths of Helvetica's signs from the space on, in thousandths of the size. Source: Adobe's font metrics of the 14 standard fonts. */
const widths = [
  278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556, 556, 556, 556, 556, 556, 278,
  278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778, 667, 778, 722, 667, 611, 722,
  667, 944, 667, 667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, 556,
  556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
];
/** No sign is wider, so what is not in the list cannot run over either. */
const widest = 1015;

/** What Windows-1252 has at 0x80 to 0x9f; a gap where it has nothing. */
const upper = "€\u0000‚ƒ„…†‡ˆ‰Š‹Œ\u0000Ž\u0000\u0000‘’“”•–—˜™š›œ\u0000žŸ";

const inWinAnsi = (sign: string): string => {
  const point = sign.codePointAt(0) ?? 0;
  if (point >= 0xa0 && point <= 0xff) return sign;
  const at = point > 0xff ? upper.indexOf(sign) : -1;
  return at < 0 ? "?" : String.fromCharCode(0x80 + at);
};

/** Text in WinAnsi, one sign for each byte, as PDF's standard fonts want it; a sign that they lack becomes a question mark. */
export const winAnsi = (text: string): string => text.replaceAll(/[^\x20-\x7e]/gu, inWinAnsi);

const widthAt = (text: string, at: number): number => widths[text.charCodeAt(at) - 0x20] ?? widest;

/** The lines into which a text in WinAnsi of this size fits a width, both in points; broken after a space where there is one in the line. */
export function wrap(text: string, size: number, width: number): string[] {
  const most = (width * 1000) / size;
  const lines: string[] = [];
  let [start, space, used] = [0, 0, 0];
  for (let at = 0; at < text.length; at++) {
    used += widthAt(text, at);
    if (used > most && at > start) {
      const end = space > start ? space : at;
      lines.push(text.slice(start, end));
      start = end;
      used = 0;
      for (let i = start; i <= at; i++) used += widthAt(text, i);
    }
    if (text.charCodeAt(at) === 0x20) space = at + 1;
  }
  lines.push(text.slice(start));
  return lines;
}

/** A string of PDF: brackets and the backslash are escaped. */
export const pdfString = (text: string): string => `(${text.replaceAll(/[()\\]/g, "\\$&")})`;

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
