import type { Piece, Said } from "./pieces.ts";

const otherDays =
  /(?<= |^)(?:(?:any|all|every|the) (?:of the |the )?other days?|the rest of the (?:days|week)|(?:todos )?los (?:demas|otros) dias|cualquier otro dia|el resto de (?:los dias|la semana))(?= |$)/;
const anyDay = (said: string): string => (/dia|resto/.test(said) ? "cualquier dia" : "any day");

/** "I have dialysis Tuesdays, any other day is fine": the days named before do not suit. */
export function refuseOtherDays(pieces: readonly Piece[], saidIn: (text: string) => Said): void {
  const at = pieces.findIndex(({ kind, text }) => kind === "wish" && otherDays.test(text));
  const named = pieces.slice(0, Math.max(at, 0)).filter(({ text, isAgreed }) => !isAgreed && saidIn(text).day);
  if (named.length === 0) return;
  pieces[at]!.text = pieces[at]!.text.replace(otherDays, anyDay);
  for (const piece of named) Object.assign(piece, { kind: "not", cue: "but" });
}
