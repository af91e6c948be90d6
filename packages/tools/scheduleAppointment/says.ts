import { normalName } from "../verifyPatientIdentity/names.ts";

const titles = new Set(["dr", "doctor", "md", "nurse", "with"]);
const wanted = (text: string): string[] =>
  normalName(text)
    .split(" ")
    .filter((word) => !titles.has(word));
/** Every word that was said occurs, from its start: "cardio", "Doctor Larkmere". */
export const says = (texts: (string | undefined)[], said: string | undefined): boolean => {
  const words = texts.flatMap((text) => normalName(text ?? "").split(" "));
  return said === undefined || wanted(said).every((word) => words.some((known) => known.startsWith(word)));
};
