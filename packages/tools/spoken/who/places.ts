import { normalizeName } from "../names.ts";

const placeStopWords = new Set(["clinic", "office", "center", "hospital", "the", "in", "at", "location"]);

export function matchesPlace(place: string, said: string): boolean {
  const wanted = normalizeName(said)
    .split(" ")
    .filter((word) => word !== "" && !placeStopWords.has(word));
  const words = normalizeName(place).split(" ");
  return wanted.every((word) => words.some((known) => known.startsWith(word)));
}
