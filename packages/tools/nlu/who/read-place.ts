import { normalizeName } from "../names.ts";

const fillers = new Set(
  "um uh well so i id im we would like want prefer rather need to go come see be can could maybe please thanks the a an one ones that this place location locations clinic clinics office offices center hospital site branch building in at on of near by from over there s is it its which also quiero quisiera prefiero me gustaria puede ser ir a al el la los las lo un una uno unas unos en de del por favor que esta este esa ese clinica clinicas consultorio consultorios oficina oficinas sede sucursal centro hospital lugar queda cerca".split(
    " ",
  ),
);

const any =
  /\b(?:any(?:where|place)?|either|wherever|whichever|no preference|(?:does|do) ?nt (?:matter|care|mind)|no matter|closest|nearest|close by|near me|cualquier(?:a)?|donde sea|en cualquier lado|no importa|me da igual|sin preferencia|mas cercan[oa]|cerca de (?:mi|aqui))\b/;

/** Names of places are English more often than the words for them. */
const english: Record<string, string> = { norte: "north", sur: "south", oriente: "east", oeste: "west", principal: "main" };

/** "the one at Hillside, please" → ["hillside"]; undefined if any place will do. */
export function readPlace(text: string): string[] | undefined {
  const plain = normalizeName(text).replace(/\b(does|do) n t\b/g, "$1nt");
  if (any.test(plain)) return undefined;
  const words = plain.split(" ").filter((word) => word !== "" && !fillers.has(word));
  return words.length === 0 ? undefined : words;
}

/** Every word starts one of the name or town, or all of them joined occur in it: "Hill side" is Hillside. */
export function matchesPlace(places: readonly (string | undefined)[], said: string | undefined): boolean {
  const wanted = said === undefined ? undefined : readPlace(said);
  if (wanted === undefined) return true;
  const words = places.flatMap((place) => normalizeName(place ?? "").split(" ")).filter(Boolean);
  const isSaid = (word: string): boolean => words.some((known) => known.startsWith(word) || known.startsWith(english[word] ?? word));
  return wanted.every(isSaid) || words.join("").includes(wanted.join(""));
}
