const ordinals = [
  ["first", "1st", "one", "1", "primera", "primero", "primer", "uno", "una"],
  ["second", "2nd", "two", "2", "segunda", "segundo", "dos"],
  ["third", "3rd", "three", "3", "tercera", "tercero", "tercer", "tres"],
  ["fourth", "4th", "four", "4", "cuarta", "cuarto", "cuatro"],
  ["fifth", "5th", "five", "5", "quinta", "quinto", "cinco"],
  ["sixth", "6th", "six", "6", "sexta", "sexto", "seis"],
  ["seventh", "7th", "seven", "7", "séptima", "séptimo", "septima", "septimo", "siete"],
  ["eighth", "8th", "eight", "8", "octava", "octavo", "ocho"],
  ["ninth", "9th", "nine", "9", "novena", "noveno", "nueve"],
  ["tenth", "10th", "ten", "10", "décima", "décimo", "decima", "decimo", "diez"],
];
const last = ["last", "última", "ultima", "último", "ultimo"];
const fillers = new Set([
  ...["the", "one", "option", "number", "offer", "offered", "slot", "time", "please"],
  ...["la", "el", "opción", "opcion", "número", "numero", "hora", "horario", "por", "favor"],
]);

/** "the second one", "2", "la última" as an index; -1 for the last. */
export function readOrdinal(text: string): number | undefined {
  const words = text.toLowerCase().match(/[\p{L}\d]+/gu) ?? [];
  const [word, ...others] = words.length === 1 ? words : words.filter((one) => !fillers.has(one));
  if (word === undefined || others.length > 0) return undefined;
  if (last.includes(word)) return -1;
  const at = ordinals.findIndex((names) => names.includes(word));
  return at < 0 ? undefined : at;
}
