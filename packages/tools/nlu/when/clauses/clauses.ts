import { anySpanishWeekday, anyWeekday } from "../../calendar.ts";
import type { Language } from "../../numbers.ts";
import { isTimeless, type Piece, piecesOf, type Said } from "./pieces.ts";

const family = "husband|wife|son|daughter|mom|mother|dad|father|kids?|sister|brother|grand[a-z]+";
const ownPlan = new RegExp(
  `^(?:(?:and|but|y|pero|yo|ya) )?(?:i|im|ive|we|were|weve|she|shes|he|hes|they|theyre|my (?:${family})(?: [a-z ]+)?|(?:se )?(?:me|nos|le) [a-z]+|tengo|trabajo|descanso|salgo|entro|recojo|estoy|ando|cuido|voy|llevo|regreso|vuelvo|viajo|empiezo|manejo|opero|vuelo|quede (?:de|con)|llega mi|viene mi|sale mi)$`,
);
/** At home, or with nothing to do. */
const isFree =
  /^(?:(?:got|have|took) (?:some |a few |my )?(?:vacation|pto|leave|days?)|back|here|home|in town|around|free|open|wide open|available|off(?= ,|$| all| that)|(?:got|have) (?:nothing|a ride|time|off|it off)|en casa|aqui|ahi|alla|de vuelta)(?: |$)/;
/** Away that day, also where it is said after a pause. */
const isAway =
  /(?<= |^)(?:fly|flying|flight|plane|leave|leaving|travel|travell?ing|driving|moving|surgery|vacation|cruise|viajo|vuelo|mudo|mudamos|operan|de viaje|de vacaciones)(?= |$)/;

/** "Friday I fly home": whether that is when to come, or when not to, is asked about. */
function isOtherPlan(pieces: readonly Piece[], at: number, saidIn: (text: string) => Said): boolean {
  const piece = pieces[at]!;
  if (
    piece.kind !== "wish" ||
    piece.cue !== "" ||
    piece.isAgreed ||
    / only |^(?:by|before|after|antes|despues) | (?:before|after|once|while|when)$/.test(piece.text)
  )
    return false;
  const plan = pieces.slice(at + 1).find(({ kind }) => kind === "reason");
  if (!plan || !ownPlan.test(plan.cue) || isFree.test(plan.text)) return false;
  // "Next week I'm on vacation, any day".
  if (/vaca(?:tion|ciones)/.test(plan.text) && pieces.slice(at + 1).some(({ text }) => anyTime.test(text))) return false;
  const said = saidIn(piece.text);
  if (!said.day && (!said.time || !isAway.test(`${plan.cue} ${plan.text}`))) return false;
  const isAttached = plan.isAttached && plan === pieces[at + 1];
  if (!isAttached && !isAway.test(`${plan.cue} ${plan.text}`)) return false;
  // "Friday, I leave Saturday".
  if (saidIn(plan.text).day && !plan.text.includes(piece.text)) return false;
  return pieces.every((other, place) => place === at || other.kind !== "wish" || other.text === "" || isTimeless(saidIn(other.text)));
}

const otherDays =
  /(?<= |^)(?:(?:any|all|every|the) (?:of the |the )?other days?|(?<!(?:there|have|got|got you|need|for|tell) )any ?thing else(?= next| this| that week| the week| is| works|$)|the rest of the (?:days|week)|(?:todos )?los (?:demas|otros) dias|(?:en )?otros dias|(?:on )?other days|cualquier otro dia|(?:un )?otro dia(?! (?:de|que))|(?:another|a different|some other) day|el resto de (?:los dias|la semana))(?= |$)/;
const othersBusy = /(?<= )(?:otros|demas) dias (?!puedo|quiero|como|bueno)[a-z]+o(?= |$)/;
const anyDay = (said: string): string => (/dias?(?= |$)|resto/.test(said) ? "cualquier dia" : "any day");

/** "I have dialysis Tuesdays, any other day is fine": the days named before do not suit. */
function refuseOtherDays(pieces: readonly Piece[], saidIn: (text: string) => Said): void {
  // "Only Tuesday, the other days I study".
  for (const [at, { kind, text }] of pieces.entries()) {
    const next = pieces[at + 1];
    const isDone = next?.kind === "reason" && next.isAttached && !isFree.test(next.text);
    if (kind === "wish" && otherDays.test(text) && (isDone || othersBusy.test(text))) pieces[at]!.kind = "reason";
  }
  const at = pieces.findIndex(
    ({ kind, text }, place) => kind === "wish" && otherDays.test(text) && !/^(?:or|o) /.test(text) && pieces[place + 1]?.kind !== "cannot",
  );
  const named = pieces.slice(0, Math.max(at, 0)).filter(({ text, isAgreed }) => !isAgreed && saidIn(text).day);
  if (named.length === 0) return;
  pieces[at]!.text = pieces[at]!.text.replace(otherDays, anyDay);
  for (const piece of named) Object.assign(piece, { kind: "not", cue: "but" });
}

export type Clause = { kind: "wish" | "reason" | "refusal"; cue: string; text: string };

/** "I can't until the tenth" is from then on. */
const notUntil = /^(?:(?!until|till|til|hasta)[a-z]+ ){0,4}?(?:until|till|til|hasta) (?:after |despues (?=de))?|^(?:before |antes del? )/;
const starting: Record<Language, string> = { en: "starting ", es: "a partir de " };
const after: Record<Language, string> = { en: "after ", es: "despues " };

/** "I'm at work by nine" is from nine on. */
const negated = /nt(?= |$)|not|never|aint|no |unavailable|without/;
const isBusyBy = ({ cue, text }: Piece): boolean =>
  /^(?:i|we|she|he)(?:m|re|s|ll)?(?= )/.test(cue) && !negated.test(cue) && /^by (?!the way)/.test(text);

/** "Evenings only, I work", "not before the tenth, I'm away". */
const isWished =
  /(?<= |^)(?:not (?:before|until|till|til)|(?:not?|nothing) (?:after|past|later than)|no (?:earlier|sooner) than|(?:no|nada) (?:antes|despues))(?= )|(?<!^) (?:only|nomas|solamente|unicamente)(?= |$)/;

const isBusy = /^(?:i|we|she|he|yo|tengo|trabajo)(?:m|ve)?(?= (?!ca|wont|dont|do |aint)|$)/;

const anyTime =
  /^(?:(?:so|and|asi que|entonces|y|pues) )*(?:any ?day|any ?time|when ?ever|cualquier dia|cuando sea)(?: (?:then|that week|works?|is|esa semana|esta)|$)/;

const interjection = /^(?:(?:oh|shoot|no|wait|ay|uh|um|hmm|darn|well|okay|ok|gosh|crap|dang|right|or|o|ah|uy|verdad|bueno|pues) ?)*$/;
const therefore = /^(?:so|asi que|entonces)$/;

const proposal = /^(?:lets|let us|(?:how|what) about|make it|maybe|(?:can|could) (?:we|i)|que tal|mejor|tal vez|deme|pongame)$/;
const duty =
  /(?<= |^)(?:(?!(?:com|stay|be|gett|go)ing )[a-z]+ing|got|have|has|works?|feed|take|drive|watch|keep|babysit|teach|volunteer|clean|help|sleep|tengo|trabajo|cuido|llevo|voy|limpio|estudio)(?= |$)/;
const isDutyOrAway = (text: string): boolean => duty.test(text) || isAway.test(text);
const partsOfDay = /^(?:(?:in|on|por|en|the|las?) )*(?:mornings?|afternoons?|evenings?|nights?|mananas?|tardes?|noches?)$/;

/** "Monday I've got the eye doctor, let's say Tuesday", "afternoon's better, mornings I've got cows to feed". */
function isDuty(pieces: readonly Piece[], at: number, saidIn: (text: string) => Said): boolean {
  const [piece, reason] = [pieces[at]!, pieces[at + 1]];
  if (piece.kind !== "wish" || piece.cue !== "" || piece.isAgreed || reason?.kind !== "reason" || !reason.isAttached) return false;
  if (!ownPlan.test(reason.cue) || isFree.test(reason.text) || !isDutyOrAway(`${reason.cue} ${reason.text}`)) return false;
  const isPart = partsOfDay.test(piece.text);
  if (!isPart && !saidIn(piece.text).day) return false;
  // "Tomorrow or Friday, next week we're cutting hay".
  const isOther = ({ kind, cue, text }: Piece): boolean =>
    kind === "wish" && /(?<= |^)(?:can|could|puedo|podria)(?= |$)/.test(cue) && saidIn(text).day;
  if (!isPart && pieces.slice(0, at).some(isOther)) return true;
  // "In the morning, in the afternoon I watch my mother".
  if (
    isPart &&
    pieces
      .slice(0, at)
      .some(
        ({ kind, cue, text }, place) =>
          kind === "wish" && partsOfDay.test(text.slice(cue.length).replace(/^ do /, "").trim()) && !pieces[place + 1]!.isAttached,
      )
  )
    return true;
  return pieces.some(
    (other, place) =>
      other !== piece &&
      other.kind === "wish" &&
      (other.isAgreed || (place > at && proposal.test(other.cue))) &&
      (isPart ? saidIn(other.text).time : saidIn(other.text).day),
  );
}

const weekdayAlone = new RegExp(
  `^(?:(?:on|el|los|que|and|y|because|porque) )*(${anyWeekday}|${anySpanishWeekday})s?(?= |$)(?!.*(?<= )(?:next|after|following|other|only|works?|proximo|otro|siguiente|viene|entra|sigue|solo)(?= |$))`,
);
const sameDayBusy =
  /^(?:(?:que|porque|and|y|because|cause|es que|pues) )*(?:ese dia|esos dias|that day|those days|on that day|los mismos)$/;
/** "Any day but Thursday, Thursdays I babysit": the day is of the refusal. */
function dropRefusedDays(pieces: readonly Piece[], saidIn: (text: string) => Said): void {
  for (const [at, piece] of pieces.entries()) {
    // "Any day but Monday, that day I babysit".
    if (
      piece.kind === "wish" &&
      sameDayBusy.test(piece.text) &&
      pieces[at + 1]?.isAttached &&
      pieces.slice(0, at).some(({ kind }) => kind === "not")
    )
      piece.kind = "reason";
    const [, day] = (piece.kind === "wish" && !piece.isAgreed && weekdayAlone.exec(piece.text)) || [];
    const isRefused = day && pieces.slice(0, at).some(({ kind, text }) => kind === "not" && new RegExp(`\\b${day}s?\\b`).test(text));
    const rest = day ? piece.text.replace(weekdayAlone, "") : "";
    if (isRefused && !/\d/.test(rest) && isTimeless(saidIn(rest)) && (rest || pieces[at + 1]?.isAttached)) piece.kind = "reason";
  }
}

/** A day said after "so". */
function isConcluded(rest: readonly Piece[], saidIn: (text: string) => Said): boolean {
  const so = rest.findIndex(({ cue }) => therefore.test(cue));
  const text = rest.slice(Math.max(so, 0)).map((one) => one.text);
  return so >= 0 && saidIn(text.join(" ")).day;
}

/** "Friday I get paid, so Saturday": the first day is of the reason. */
function isOfReason(pieces: readonly Piece[], at: number, saidIn: (text: string) => Said): boolean {
  const [piece, reason] = [pieces[at]!, pieces[at + 1]];
  if (piece.kind !== "wish" || piece.isAgreed || reason?.kind !== "reason" || !reason.isAttached || !saidIn(piece.text).day) return false;
  return isConcluded(pieces.slice(at + 2), saidIn);
}

/** "Because I have class" says nothing of the day before it. */
const isOfBecause = (pieces: readonly Piece[], at: number): boolean => {
  const [before] = pieces.slice(0, at).slice(-1);
  return (
    before?.kind === "reason" && before.text === "" && /^(?:be)?cause|^(?:cuz|coz|since|porque|ya que|es que|que ya)$/.test(before.cue)
  );
};

const offered =
  /^(?:(?:and|but|well|so) )*(?:you|yall|they|you guys) (?:said|told me|gave me|offered(?: me)?|have me|had me|got me|put me)(?: down)?(?= )|^(?:usted |ustedes )?(?:me |nos )(?:dijo|dijeron|dio|dieron|ofrecio|ofrecieron|puso|pusieron)(?= )/;

const that =
  /^(?:(?:so|and|which|y|asi que) )*(?:that|it|this|those|they|eso|ese dia)(?: (?:day|time|would|d|ll|will|should|could|might))*$/;

const thatIsAt =
  /^(?:(?:but|and|y|pero|aunque|though) )+(?:(?:(?:that|it|those|they|eso|esa|ese) ?)?(?:its|thats|is|s|are|es|re|isnt|no es|is not|starts|doesnt start|empieza)|that|it)(?= )/;
/** "Church is Wednesday but that's at night, so Wednesday": the time is of the reason. */
function dropTimesOfReasons(pieces: readonly Piece[], saidIn: (text: string) => Said): void {
  for (const [at, piece] of pieces.entries()) {
    const last = pieces.slice(0, at).findLast(({ text }) => text !== "");
    if (piece.kind !== "wish" || piece.isAgreed || !last || !thatIsAt.test(piece.text)) continue;
    if (!saidIn(piece.text).time || saidIn(piece.text).day) continue;
    if (last.kind === "reason" || (last.kind === "cannot" && pieces.some((one) => one.kind === "wish" && saidIn(one.text).day)))
      for (const one of [last, piece]) one.kind = "reason";
  }
}

const habit =
  /^(?:(?:in|at|on|en|por|during|every|all|las|los|the|de|it is) )*(?:mornings|evenings|nights?|afternoons|mananas|noches?|tardes)$/;
const pains =
  /(?<= |^)(?:hurts?|aches?|sore|stiff|swells?|swollen|dizzy|worse|worst|high|flares?|acts? up|itch[a-z]*|burns?|bleeds?|duelen?|sube|baja|hincha[n]?|inflama[n]?|mareo|tos|dolor|mal|sleep|breathe|duermo|duerme)(?= |$)/;

/** "In the mornings my knee hurts" is no wish. */
function dropPains(pieces: readonly Piece[]): void {
  for (const [at, piece] of pieces.entries()) {
    const next = pieces[at + 1];
    if (
      piece.kind === "wish" &&
      habit.test(piece.text) &&
      next?.isAttached &&
      next.kind !== "wish" &&
      pains.test(`${next.cue} ${next.text}`)
    )
      Object.assign(piece, { kind: "reason" });
  }
}

/** "I work every day but Sunday". */
function wishExceptions(pieces: readonly Piece[]): void {
  for (const [at, piece] of pieces.entries()) {
    const last = pieces[at - 1];
    if (
      piece.kind === "not" &&
      (last?.kind === "cannot" || last?.kind === "reason") &&
      /(?:every ?day|all week|every week|todos los dias|toda la semana|siempre)$/.test(last.text)
    )
      Object.assign(piece, { kind: "wish" });
  }
}

const negative = /(?<= |^)(?:[a-z]*nt|not|never|no)(?= |$)/;
const limit =
  /(?<= |^)(?:any ?time |any |nada )?(?:(?:before|until|till|til|earlier than|sooner than)(?: (?:that|then))|earlier|sooner|before|(?:antes|mas temprano|hasta)(?: de)?(?: (?:eso|esa hora|ahi|entonces))?|((?:after|past|later than)(?: (?:that|then))|later|(?:despues|mas tarde)(?: de)?(?: (?:eso|esa hora|ahi))?))$/;

/** "After six, I can't leave work before that" says why; "I get off at six, I can't come before that" is after it. */
function readLimits(pieces: readonly Piece[], language: Language, saidIn: (text: string) => Said): void {
  for (const [at, piece] of pieces.entries()) {
    if (piece.kind !== "cannot" && !(piece.kind === "reason" && negative.test(`${piece.cue} ${piece.text}`))) continue;
    const next = pieces[at + 1];
    // "I get the car on Thursday, before that I can't".
    const last = pieces[at - 1];
    const isBehind = piece.isAttached && last?.kind === "wish" && limit.exec(last.text)?.index === 0;
    // "Monday no, after": what follows a pause is another day.
    const isNext = next?.kind === "wish" && next.cue !== "";
    const limiting = [piece, ...(isNext ? [next] : []), ...(isBehind ? [last] : [])].find(({ text }) => limit.test(text));
    if (!limiting || !isTimeless(saidIn(piece.text)) || !isTimeless(saidIn(limiting.text))) continue;
    const said = pieces.slice(0, at).findLast((one) => one !== limiting && !isTimeless(saidIn(one.text)));
    if (!said || said.kind === "cannot" || said.kind === "not") continue;
    const isLatest = limit.exec(limiting.text)![1] !== undefined;
    const words = { en: ["after that", "before that"], es: ["despues de eso", "antes de eso"] }[language][isLatest ? 1 : 0];
    for (const one of new Set([piece, limiting])) Object.assign(one, { kind: "reason", text: "" });
    if (said.kind === "reason") Object.assign(limiting, { kind: "wish", cue: "", text: words });
  }
}

const oneOfThem =
  /^(?:(?:so|and|but|just|y|asi que) )*(?:either|any|one|cualquiera|uno) (?:of|de) (?:those|them|these|esos|los dos)(?: (?:two|days?|dias|times?))?$/;

/** "They give us the first off, so that'd work": the reason says when. */
function wishReasons(pieces: readonly Piece[], saidIn: (text: string) => Said): void {
  const at = pieces.findIndex(({ kind, text, isAgreed }) => kind === "wish" && ((isAgreed && that.test(text)) || oneOfThem.test(text)));
  const reason = pieces.slice(0, Math.max(at, 0)).findLast(({ text }) => !isTimeless(saidIn(text)));
  if (reason?.kind === "reason") reason.kind = "wish";
}

export const moving =
  /(?<= |^)(?:(?:move|change|switch|make|push|bump|do) (?:it|that|me|mine|us)|(?:(?:me )?l[oa] )?(?:puede[ns]?|podria[ns]?|quiero|quisiera) (?:pasar|cambiar|mover|poner|dejar)(?:l[oa]|me|mel[oa])?)(?= |$)/;
const chosen = /^(?:ill|lets|give me|put me|i|deme|dame|pongame|ponga|prefiero|quiero)(?: |$)/;

/** "You said nine on Tuesday, I can't do nine, can you do ten": at ten on that day. */
function refuseOffer(pieces: readonly Piece[], saidIn: (text: string) => Said): void {
  const [offer, ...later] = pieces.filter(({ text }) => !isTimeless(saidIn(text)));
  const isTimeOnly = ({ text }: Piece): boolean => saidIn(text).time && !saidIn(text).day;
  if (!offer || offer.kind !== "wish" || offer.isAgreed || !offered.test(offer.text) || !saidIn(offer.text).time) return;
  const [refusal, ...wishes] = later;
  // "You had me down for Tuesday, can we move it to Thursday".
  if (refusal?.kind === "wish" && moving.test(refusal.text)) offer.kind = "reason";
  // "You said ten or one fifteen, I'll take the one fifteen".
  if (refusal?.kind === "wish" && wishes.length === 0 && chosen.test(refusal.cue) && isTimeOnly(offer) && saidIn(refusal.text).time)
    offer.kind = "reason";
  if (refusal?.kind !== "not" || wishes.length === 0 || !isTimeOnly(refusal)) return;
  if (wishes.every((piece) => piece.kind === "wish" && isTimeOnly(piece))) Object.assign(offer, { kind: "not", cue: "not" });
}

const work = /(?<= |^)(?:works?|working|trabajo)(?= |$)/;
/** "I work seven to seven, Wednesday's my day off": on that day there is no work. */
const isFreeDay = ({ kind, cue, text, isAgreed }: Piece, saidIn: (text: string) => Said): boolean =>
  kind === "wish" && saidIn(text).day && (isAgreed || /(?<= |^)(?:off|descanso|libres?|no trabajo)(?= |$)/.test(`${cue} ${text}`));

/** "The truck's in the shop, until Thursday": from then on. */
function isOpenUntil(pieces: readonly Piece[], at: number, saidIn: (text: string) => Said): boolean {
  const piece = pieces[at]!;
  if (piece.kind !== "wish" || !/^(?:until|till|til|hasta) (?!or |o )/.test(piece.text) || piece.isAgreed || !saidIn(piece.text).day)
    return false;
  const last = pieces.slice(0, at).findLast(({ text }) => text !== "");
  return (
    last !== undefined &&
    (last.kind === "reason" || /(?<= |^)(?:esta|estoy|tengo|tiene|andan?)(?= )/.test(last.text)) &&
    pieces.every((one) => one === piece || one.kind !== "wish" || isTimeless(saidIn(one.text)))
  );
}

export const afterThat = /(?<= |^)(?:before|after|antes|despues|luego) (?:de )?(?:that|then|eso|ahi)(?= |$)/;

/** The clauses of a text; undefined where it is not clear what does not suit: "Monday I can't Tuesday". */
export function clausesOf(plain: string, language: Language, saidIn: (text: string) => Said): Clause[] | undefined {
  const pieces = piecesOf(plain, language);
  refuseOtherDays(pieces, saidIn);
  wishReasons(pieces, saidIn);
  wishExceptions(pieces);
  readLimits(pieces, language, saidIn);
  dropPains(pieces);
  dropTimesOfReasons(pieces, saidIn);
  dropRefusedDays(pieces, saidIn);
  for (const [at, piece] of pieces.entries()) {
    if (piece.kind !== "cannot") continue;
    if (
      /no tengo|no hay|nt (?:usually |normally |even |really )*(?:get|finish|leave|close|clock)|do ?nt have|without|no ride|no car|cant|can not|cannot|could ?nt|could not|wont|let me|let us|no salgo|no llego|no termino|no regreso|no salir|no me d|no puedo|no voy|no podria|not (?:available|free|here|around)|unavailable/.test(
        piece.cue,
      ) &&
      notUntil.test(piece.text)
    ) {
      // "I don't get back till Sunday night, so Monday or later".
      if (saidIn(piece.text).day && isConcluded(pieces.slice(at + 1), saidIn)) {
        piece.kind = "reason";
        continue;
      }
      piece.kind = "wish";
      piece.text = piece.text.replace(notUntil, (said) =>
        /after |despues /.test(said) ? after[language] : said.endsWith("del ") ? "a partir del " : starting[language],
      );
      piece.text = piece.text.replace(/^starting (?:that|then)$/, "after that");
      continue;
    }
    // "I'm on vacation next week, so any day".
    if (/vaca(?:tion|ciones)/.test(`${piece.cue} ${piece.text}`) && pieces.slice(at + 1).some(({ text }) => anyTime.test(text))) {
      piece.kind = "reason";
      continue;
    }
    if (isBusyBy(piece)) {
      // "I'm out by three": of work, or away.
      if (piece.cue.endsWith(" out")) return undefined;
      piece.text = piece.text.replace(/^by /, starting.en);
    }
    const own = saidIn(piece.text);
    // "Anytime Monday or Friday, I have class the other days".
    if (otherDays.test(piece.text) && !piece.isAgreed && isTimeless(own) && pieces.slice(0, at).some(({ text }) => saidIn(text).day)) {
      piece.kind = "reason";
      continue;
    }
    const last = pieces.slice(0, at).findLast(({ text }) => !interjection.test(text));
    const lastSaid = last?.kind === "wish" && !last.isAgreed ? saidIn(last.text) : { day: false, time: false };
    if (isTimeless(own)) {
      piece.kind = "reason";
      // "Monday or Tuesday, the other days I work".
      if (last && otherDays.test(last.text)) {
        last.text = last.text.replace(otherDays, "").trim();
        last.isAgreed = true;
        continue;
      }
      // "If Monday is full, Tuesday": Monday comes first.
      if (last && !isTimeless(lastSaid) && /^(?:if|si) /.test(last.text)) return undefined;
      if (isOfBecause(pieces, at)) continue;
      // "After six, I can't leave work".
      if (!piece.isAttached && lastSaid.time && !lastSaid.day && piece.text !== "" && negated.test(piece.cue) && !isWished.test(last!.text))
        return undefined;
      // "Evenings, I work": then, or because of it.
      if (last && !piece.isAttached && !isTimeless(lastSaid) && isBusy.test(piece.cue) && !isWished.test(last.text)) return undefined;
      // "Not early".
      if (
        last?.kind === "wish" &&
        piece.isAttached &&
        isTimeless(lastSaid) &&
        /^(?!no ).*(?<= |^)(?:early|temprano|late|muy tarde)$|^(?:early|temprano)$/.test(last.text)
      )
        return undefined;
      if (last?.kind === "wish" && piece.isAttached && isTimeless(lastSaid) && /^not? /.test(last.text)) last.kind = "reason";
      if (last && !isTimeless(lastSaid) && !isWished.test(last.text)) Object.assign(last, { kind: "not", cue: piece.cue });
    } else if (!piece.isAttached || isTimeless(lastSaid) || isWished.test(last!.text) || (!own.day && !lastSaid.time)) {
      // "Monday I work until three": on that day.
      if (piece.isAgreed) return undefined;
      piece.kind = "not";
    } else if (piece.isAgreed || pieces[at + 1]?.kind === "cannot") {
      // "Monday is out, Tuesday is out".
      Object.assign(last!, { kind: "not", cue: piece.cue });
      piece.kind = "wish";
    } else return undefined;
  }
  refuseOffer(pieces, saidIn);
  for (const piece of pieces)
    if (piece.kind === "not" && work.test(piece.cue) && !saidIn(piece.text).day && pieces.some((one) => isFreeDay(one, saidIn)))
      piece.kind = "reason";
  if (pieces.some((_, at) => isOpenUntil(pieces, at, saidIn))) return undefined;
  for (const [at, piece] of pieces.entries()) if (isOfReason(pieces, at, saidIn) || isDuty(pieces, at, saidIn)) piece.kind = "reason";
  const plans = pieces.filter((_, at) => isOtherPlan(pieces, at, saidIn));
  if (plans.length > 0 && !pieces.some(({ kind, text }) => kind === "wish" && afterThat.test(text))) return undefined;
  for (const plan of plans) plan.kind = "reason";
  return pieces
    .filter(({ text }) => text !== "")
    .map(({ kind, cue, text }): Clause => ({ kind: kind === "wish" ? "wish" : kind === "not" ? "refusal" : "reason", cue, text }));
}
