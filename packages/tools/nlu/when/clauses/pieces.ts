import { compileCues, type CueKind, cueAt } from "./cues.ts";
import { englishCues } from "./english-cues.ts";
import { spanishCues } from "./spanish-cues.ts";
import type { Language } from "../../numbers.ts";

const cues = { en: compileCues(englishCues), es: compileCues(spanishCues) };

/** `isAttached`: said without a pause after the one before it. */
export type Piece = { kind: CueKind; cue: string; text: string; isAgreed: boolean; isAttached: boolean };

const newPiece = (kind: CueKind, cue = "", text = "", isAttached = false): Piece => ({ kind, cue, text, isAgreed: false, isAttached });

/** "That is a holiday" is said of what comes before it. */
const ofThatDay =
  /^(?:(?:oh|no|wait|,|eso|ese|dia|que|thats|that|its|isnt|is|it) )+(?:.* )?(?:holiday|thanksgiving|day|christmas|years|friday|weekend|gracias|navidad|nuevo|feriado|festivo)$/;

export function piecesOf(plain: string, language: Language): Piece[] {
  const all = [newPiece("wish")];
  let at = 0;
  while (at < plain.length) {
    const last = all.at(-1)!;
    const cue = cueAt(cues[language], plain, at);
    const words = cue?.words ?? /[^ ]+/y.exec(plain.slice(at))![0];
    at += words.length + 1;
    // "My bus comes around ten" gives the reason's time; a second time is a wish.
    const isAbout =
      cue !== undefined &&
      /^(?:como a|tipo)$/.test(cue.words) &&
      (!/(?<= |^)las? /.test(last.text) || /(?:llego|salgo|entro|regreso|llega|sale|pasa)$/.test(last.text));
    const isWithinReason = last.kind === "reason" && (cue?.kind === "agreed" || cue?.kind === "reason" || isAbout);
    if (!cue || isWithinReason) last.text += ` ${words}`;
    else if (cue.kind === "end") all.push(newPiece("wish"));
    else if (cue.kind === "agreed") {
      last.isAgreed = true;
      all.push(newPiece("wish"));
    } else if (cue.named !== undefined) all.push(newPiece("not", words, cue.named), newPiece("wish"));
    else if (cue.kind === "cannot" && ofThatDay.test(words))
      all.push(newPiece("cannot", words, "", last.text !== "" && last.kind !== "reason"), newPiece("wish"));
    else all.push(newPiece(cue.kind, words, cue.kind === "wish" ? words : "", last.text !== "" && last.kind !== "reason"));
  }
  return all.map((piece) => ({ ...piece, text: piece.text.trim() }));
}

/** What a text names. */
export type Said = { day: boolean; time: boolean };
export const isTimeless = ({ day, time }: Said): boolean => !day && !time;
