import { deflateSync } from "node:zlib";

/** A4 landscape, in points. */
export const paper = { width: 842, height: 595 };

const catalog = 1;
const pages = 2;
const fonts = { regular: 3, bold: 4 };
const information = 5;
const firstPage = 6;

/**
 * Writes a PDF 1.4 file page by page, remembering only byte offsets. `content` is a page's content stream in Latin-1, with the
 * fonts /F1 (Helvetica) and /F2 (bold). Source: ISO 32000-1, 7.5.
 */
export function pdfFile(title: string) {
  const offsets: number[] = [];
  let length = 0;
  let pageCount = 0;

  const emit = (text: string | Buffer): Buffer => {
    const bytes = typeof text === "string" ? Buffer.from(text, "latin1") : text;
    length += bytes.length;
    return bytes;
  };
  const object = (id: number, body: string): Buffer => {
    offsets[id] = length;
    return emit(`${id} 0 obj\n${body}\nendobj\n`);
  };
  const stream = (id: number, content: string): Buffer => {
    const compressed = deflateSync(Buffer.from(content, "latin1"));
    offsets[id] = length;
    return Buffer.concat([
      emit(`${id} 0 obj\n<< /Length ${compressed.length} /Filter /FlateDecode >>\nstream\n`),
      emit(compressed),
      emit("\nendstream\nendobj\n"),
    ]);
  };
  const font = (id: number, name: string): Buffer =>
    object(id, `<< /Type /Font /Subtype /Type1 /BaseFont /${name} /Encoding /WinAnsiEncoding >>`);

  return {
    head: (): Buffer =>
      Buffer.concat([
        // Four bytes above 127 mark the file as binary for transfer programs.
        emit("%PDF-1.4\n%\xe2\xe3\xcf\xd3\n"),
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
      const entries = offsets.slice(1).map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`);
      const size = entries.length + 1;
      return Buffer.concat([
        tree,
        emit(`xref\n0 ${size}\n0000000000 65535 f \n${entries.join("")}`),
        emit(`trailer\n<< /Size ${size} /Root ${catalog} 0 R /Info ${information} 0 R >>\nstartxref\n${start}\n%%EOF\n`),
      ]);
    },
  };
}

/** Widths of Helvetica characters from the space on, in thousandths of the font size. Source: Adobe's metrics of the 14 standard fonts. */
const widths = [
  278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556, 556, 556, 556, 556, 556, 278,
  278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778, 667, 778, 722, 667, 611, 722,
  667, 944, 667, 667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, 556,
  556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
];
/** Used for characters outside the list, so that they cannot overflow. */
const widest = 1015;

/** Windows-1252 at 0x80 to 0x9f; NUL where it is undefined. */
const upper = "€\u0000‚ƒ„…†‡ˆ‰Š‹Œ\u0000Ž\u0000\u0000‘’“”•–—˜™š›œ\u0000žŸ";

const encodeCharacter = (character: string): string => {
  const point = character.codePointAt(0) ?? 0;
  if (point >= 0xa0 && point <= 0xff) return character;
  const at = point > 0xff ? upper.indexOf(character) : -1;
  return at < 0 ? "?" : String.fromCharCode(0x80 + at);
};

/** Encodes text for PDF's standard fonts, one character per byte; unsupported characters become question marks. */
export const winAnsi = (text: string): string => text.replaceAll(/[^\x20-\x7e]/gu, encodeCharacter);

const widthAt = (text: string, at: number): number => widths[text.charCodeAt(at) - 0x20] ?? widest;

/** Breaks a WinAnsi text into lines, after a space if possible; font size and width in points. */
export function wrap(text: string, size: number, width: number): string[] {
  const limit = (width * 1000) / size;
  const lines: string[] = [];
  let [start, space, used] = [0, 0, 0];
  for (let at = 0; at < text.length; at++) {
    used += widthAt(text, at);
    if (used > limit && at > start) {
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

/** A PDF string literal. */
export const pdfString = (text: string): string => `(${text.replaceAll(/[()\\]/g, "\\$&")})`;
