/** Removes control characters; capitalizes text that is all in one case. */
export function tidyText(text: string): string {
  const plain = text
    .normalize("NFC")
    .replace(/[\p{Cc}\p{Cf}\p{Cs}]/gu, " ")
    .replace(/\s+/g, " ")
    .trim();
  if (plain.length < 3 || (plain !== plain.toLowerCase() && plain !== plain.toUpperCase())) return plain;
  return plain.toLowerCase().replace(/(^|[\s\-('’])(\p{L})/gu, (_, before: string, letter: string) => before + letter.toUpperCase());
}
