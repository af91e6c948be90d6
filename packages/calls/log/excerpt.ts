const before = 40;
const longest = 160;

/** What stands around the first of the words, on one line; undefined if the summary lacks any of them. */
export function excerptOf(summary: string | undefined, words: string): string | undefined {
  if (summary === undefined) return undefined;
  const line = summary.replaceAll(/\s+/g, " ").trim();
  const lower = line.toLowerCase();
  const places = words
    .toLowerCase()
    .split(/\s+/)
    .filter(Boolean)
    .map((word) => lower.indexOf(word));
  if (places.length === 0 || places.includes(-1)) return undefined;
  const start = line.length <= longest ? 0 : startOfWord(line, Math.min(...places) - before);
  const end = start + longest;
  return `${start > 0 ? "…" : ""}${line.slice(start, end).toWellFormed().trim()}${end < line.length ? "…" : ""}`;
}

const startOfWord = (line: string, at: number): number => (at <= 0 ? 0 : line.indexOf(" ", at) + 1);
