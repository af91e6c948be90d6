import { type CueKind, cueAt } from "./cues.ts";
import type { Language } from "../../numbers.ts";

export type Clause = { kind: "wish" | "reason" | "refusal"; text: string };

/** `isAttached`: said without a pause after the one before it. */
type Piece = { kind: CueKind; cue: string; text: string; isAgreed: boolean; isAttached: boolean };

const newPiece = (kind: CueKind, cue = "", text = "", isAttached = false): Piece => ({ kind, cue, text, isAgreed: false, isAttached });

function piecesOf(plain: string, language: Language): Piece[] {
  const all = [newPiece("wish")];
  let at = 0;
  while (at < plain.length) {
    const last = all.at(-1)!;
    const cue = cueAt(language, plain, at);
    const words = cue?.words ?? /[^ ]+/y.exec(plain.slice(at))![0];
    at += words.length + 1;
    const isWithinReason = last.kind === "reason" && (cue?.kind === "agreed" || cue?.kind === "reason");
    if (!cue || isWithinReason) last.text += ` ${words}`;
    else if (cue.kind === "end") all.push(newPiece("wish"));
    else if (cue.kind === "agreed") {
      last.isAgreed = true;
      all.push(newPiece("wish"));
    } else if (cue.named !== undefined) all.push(newPiece("not", words, cue.named), newPiece("wish"));
    else all.push(newPiece(cue.kind, words, cue.kind === "wish" ? words : "", last.text !== "" && last.kind !== "reason"));
  }
  return all.map((piece) => ({ ...piece, text: piece.text.trim() }));
}

/** "I can't until the tenth" is from then on. */
const notUntil =
  /^(?:(?!until|till|til|hasta)[a-z]+ ){0,4}?(?:until|till|til|hasta) (?:after |despues (?=de))?|^(?:before|antes de(?=l? )) ?/;
const starting: Record<Language, string> = { en: "starting ", es: "a partir de " };
const after: Record<Language, string> = { en: "after ", es: "despues " };

export type Said = { day: boolean; time: boolean };
const isTimeless = ({ day, time }: Said): boolean => !day && !time;

const therefore = /^(?:so|asi que|entonces)$/;

/** "Friday I get paid, so Saturday": the first day is of the reason. */
function isOfReason(pieces: readonly Piece[], at: number, saidIn: (text: string) => Said): boolean {
  const [piece, reason] = [pieces[at]!, pieces[at + 1]];
  if (piece.kind !== "wish" || piece.isAgreed || reason?.kind !== "reason" || !reason.isAttached || !saidIn(piece.text).day) return false;
  const rest = pieces.slice(at + 2);
  const next = rest.findIndex(({ cue }) => therefore.test(cue));
  return (
    next >= 0 &&
    saidIn(
      rest
        .slice(next)
        .map(({ text }) => text)
        .join(" "),
    ).day
  );
}

const ownPlan =
  /^(?:(?:and|but|y|pero|yo|ya) )?(?:i|im|ive|we|were|weve|she|shes|he|hes|they|theyre|my [a-z ]+|(?:me|nos) [a-z]+|tengo|trabajo|descanso|salgo|entro|recojo|estoy|ando|cuido|voy|llevo|regreso|vuelvo|viajo|empiezo|manejo|mudo|opero|vuelo|llega mi|viene mi|sale mi)$/;
/** At home, or with nothing to do. */
const isFree = /^(?:back|here|home|in town|free|got (?:nothing|a ride|time)|have (?:nothing|a ride|time)|en casa|aqui|de vuelta)(?: |$)/;

/** "Friday I fly home": whether that is when to come, or when not to, is asked about. */
function isOtherPlan(pieces: readonly Piece[], at: number, saidIn: (text: string) => Said): boolean {
  const [piece, plan] = [pieces[at]!, pieces[at + 1]];
  if (piece.kind !== "wish" || piece.cue !== "" || piece.isAgreed || / only /.test(piece.text) || !saidIn(piece.text).day) return false;
  if (plan?.kind !== "reason" || !plan.isAttached || !ownPlan.test(plan.cue) || isFree.test(plan.text)) return false;
  return pieces.every((other, place) => place === at || other.kind !== "wish" || other.text === "" || isTimeless(saidIn(other.text)));
}

/** The clauses of a text; undefined where it is not clear what does not suit: "Monday I can't Tuesday". */
export function clausesOf(plain: string, language: Language, saidIn: (text: string) => Said): Clause[] | undefined {
  const pieces = piecesOf(plain, language);
  for (const [at, piece] of pieces.entries()) {
    if (piece.kind !== "cannot") continue;
    if (
      /no tengo|no hay|do ?nt have|without|no ride|no car|cant|can not|cannot|could ?nt|could not|wont|no puedo|no voy|no podria/.test(
        piece.cue,
      ) &&
      notUntil.test(piece.text)
    ) {
      piece.kind = "wish";
      piece.text = piece.text.replace(notUntil, (said) => (/after |despues /.test(said) ? after[language] : starting[language]));
      continue;
    }
    const own = saidIn(piece.text);
    const last = pieces.slice(0, at).findLast(({ text }) => text !== "");
    const lastSaid = last?.kind === "wish" && !last.isAgreed ? saidIn(last.text) : { day: false, time: false };
    if (isTimeless(own)) {
      piece.kind = "reason";
      // "If Monday is full, Tuesday": Monday comes first.
      if (last && !isTimeless(lastSaid) && /^(?:if|si) /.test(last.text)) return undefined;
      if (last && !isTimeless(lastSaid)) last.kind = "not";
    } else if (!piece.isAttached || isTimeless(lastSaid) || (!own.day && !lastSaid.time)) {
      // "Monday I work until three": on that day.
      if (piece.isAgreed) return undefined;
      piece.kind = "not";
    } else if (piece.isAgreed || pieces[at + 1]?.kind === "cannot") {
      // "Monday is out, Tuesday is out".
      last!.kind = "not";
      piece.kind = "wish";
    } else return undefined;
  }
  for (const [at, piece] of pieces.entries()) if (isOfReason(pieces, at, saidIn)) piece.kind = "reason";
  if (pieces.some((_, at) => isOtherPlan(pieces, at, saidIn))) return undefined;
  return pieces
    .filter(({ text }) => text !== "")
    .map(({ kind, text }): Clause => ({ kind: kind === "wish" ? "wish" : kind === "not" ? "refusal" : "reason", text }));
}
