import type { TimeChoice } from "./parse-state/parse-state.ts";

export type SaidTime = { choice: TimeChoice; part?: TimeChoice | undefined };

const noon = 720;
const earliest = 420;
/** An hour of the clock without more, in the daytime. */
const inDaytime = ({ minutes, isEitherHalf }: TimeChoice["from"]): number =>
  isEitherHalf && minutes < earliest ? minutes + noon : minutes;
const isWithinBound = (at: TimeChoice, { from, bound }: TimeChoice): boolean =>
  bound === "from" ? inDaytime(at.from) >= inDaytime(from) : inDaytime(at.from) <= inDaytime(from);

/** "Not before nine and by eleven" is one window. */
function bothBounds(said: TimeChoice[]): TimeChoice[] {
  const [from, until] = (["from", "until"] as const).map((bound) => said.find((one) => one.bound === bound && one.from === one.until));
  if (said.length === 2 && from && until && inDaytime(from.from) < inDaytime(until.from)) return [{ from: from.from, until: until.until }];
  // "First thing, before work".
  const [opening, early] = [said.find(({ edge }) => edge === "opening"), said.find((one) => !one.edge && one.from.minutes === 0)];
  if (said.length === 2 && opening && early && !early.bound) return [opening];
  const [part, bound] = [said.find((one) => !one.bound && !one.edge && one.from !== one.until && !one.from.isEitherHalf), from ?? until];
  if (said.length === 2 && part && bound) return [{ ...part, ...(from ? { from: bound.from } : { until: bound.from }) }];
  const [at, limit] = [said.find((one) => one.from === one.until && !one.bound && !one.edge), from ?? until];
  // "Done before three, so one".
  if (said.length === 2 && at && limit && isWithinBound(at, limit)) return [at];
  const starts = said.filter(({ bound }) => bound === "from");
  // "After I drop the kids off, after nine".
  if (starts.length === 2 && said.length === 2) return starts.toSorted((a, b) => inDaytime(b.from) - inDaytime(a.from)).slice(0, 1);
  const ends = said.filter(({ bound }) => bound === "until");
  // "Out by noon, so ten thirty at the latest".
  return ends.length === 2 && said.length === 2 ? ends.toSorted((a, b) => a.from.minutes - b.from.minutes).slice(0, 1) : said;
}

/** "End of the day, like four or four thirty", "first thing, like nine". */
function atEdge(said: TimeChoice[]): TimeChoice[] {
  const [edge, at] = [said.find((one) => one.edge), said.find((one) => !one.edge)];
  if (said.length !== 2 || !edge || !at || at.bound || at.or) return said;
  const inHalf = ({ minutes, isEitherHalf }: TimeChoice["from"]) => ({
    minutes: isEitherHalf && edge.edge === "closing" && minutes < noon ? minutes + noon : minutes,
  });
  const from = inHalf(at.from);
  const until = at.until === at.from ? from : inHalf(at.until);
  const isNear = edge.edge === "closing" ? from.minutes >= 840 : until.minutes >= 360 && until.minutes <= 630;
  return isNear && from.minutes <= until.minutes ? [{ ...at, from, until }] : said;
}

/** "Over lunch, so noon": the narrower of two where one is in the other. */
function narrower(said: TimeChoice[]): TimeChoice[] {
  const [a, b, ...more] = said;
  if (!a || !b || more.length > 0) return said;
  const isIn = (one: TimeChoice, other: TimeChoice) => {
    if (one.bound || other.bound || one.edge || other.edge || other.from.isEitherHalf || other.from === other.until) return false;
    const minutes = [one.from, one.until].map((at) => (at.isEitherHalf && at.minutes < other.from.minutes ? at.minutes + 720 : at.minutes));
    return minutes.every((at) => other.from.minutes <= at && at <= other.until.minutes);
  };
  const inside = (one: TimeChoice, other: TimeChoice): TimeChoice[] => {
    const near = (at: TimeChoice["from"]) => ({
      minutes: at.isEitherHalf && at.minutes < other.from.minutes ? at.minutes + 720 : at.minutes,
    });
    const from = near(one.from);
    return [{ ...one, from, until: one.until === one.from ? from : near(one.until) }];
  };
  return isIn(a, b) ? inside(a, b) : isIn(b, a) ? inside(b, a) : said;
}

/** At most one time, with the part of the day in which it is. */
export function oneTime(said: TimeChoice[]): SaidTime[] | undefined {
  const different = [...new Map(said.map((one) => [JSON.stringify(one), one])).values()];
  const parts = different.filter(({ half }) => half);
  const rest = narrower(atEdge(bothBounds(different.filter(({ half }) => !half))));
  if (parts.length > 1 || rest.length > 1) return undefined;
  const [choice, part] = [rest[0], parts[0]];
  if (!choice) return part ? [{ choice: part }] : [];
  return [{ choice, part }];
}
