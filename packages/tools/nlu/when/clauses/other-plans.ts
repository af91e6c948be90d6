import { isTimeless, type Piece, type Said } from "./pieces.ts";

const family = "husband|wife|son|daughter|mom|mother|dad|father|kids?|sister|brother|grand[a-z]+";
const ownPlan = new RegExp(
  `^(?:(?:and|but|y|pero|yo|ya) )?(?:i|im|ive|we|were|weve|she|shes|he|hes|they|theyre|my (?:${family})(?: [a-z ]+)?|(?:me|nos) [a-z]+|tengo|trabajo|descanso|salgo|entro|recojo|estoy|ando|cuido|voy|llevo|regreso|vuelvo|viajo|empiezo|manejo|opero|vuelo|quede (?:de|con)|llega mi|viene mi|sale mi)$`,
);
/** At home, or with nothing to do. */
const isFree =
  /^(?:back|here|home|in town|around|free|open|wide open|available|off(?= ,|$| all| that)|(?:got|have) (?:nothing|a ride|time|off|it off)|en casa|aqui|de vuelta)(?: |$)/;
/** Away that day, also where it is said after a pause. */
const isAway =
  /(?<= |^)(?:fly|flying|flight|plane|leave|leaving|travel|travell?ing|driving|moving|surgery|vacation|cruise|viajo|vuelo|mudo|mudamos|operan|de viaje|de vacaciones)(?= |$)/;

/** "Friday I fly home": whether that is when to come, or when not to, is asked about. */
export function isOtherPlan(pieces: readonly Piece[], at: number, saidIn: (text: string) => Said): boolean {
  const piece = pieces[at]!;
  if (piece.kind !== "wish" || piece.cue !== "" || piece.isAgreed || / only |^(?:by|before|after|antes|despues) /.test(piece.text))
    return false;
  const plan = pieces.slice(at + 1).find(({ kind }) => kind === "reason");
  if (!plan || !ownPlan.test(plan.cue) || isFree.test(plan.text) || !saidIn(piece.text).day) return false;
  const isAttached = plan.isAttached && plan === pieces[at + 1];
  if (!isAttached && !isAway.test(`${plan.cue} ${plan.text}`)) return false;
  // "Friday, I leave Saturday".
  if (saidIn(plan.text).day && !plan.text.includes(piece.text)) return false;
  return pieces.every((other, place) => place === at || other.kind !== "wish" || other.text === "" || isTimeless(saidIn(other.text)));
}
