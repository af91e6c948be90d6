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
