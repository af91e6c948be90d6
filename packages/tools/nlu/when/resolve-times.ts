import { weekdays as officeWeekdays } from "@vitaline/contract";
import { openingOn } from "@vitaline/offices";
import { addDays, weekdayOf } from "../calendar.ts";
import type { Clock, Days, UtteranceContext, TimeChoice } from "./parse-state/parse-state.ts";
import { singleDay } from "./parse-state/parse-state.ts";

const noon = 720;
/** No office sees patients earlier, unless its hours say so. */
const earliest = 360;
const minutesInDay = 1440;

/** Minutes after midnight. A point in time where both are the same. */
export type Times = { from: number; until: number; isPoint: boolean; isApproximate: boolean };
type Opening = { opens: number; closes: number };

/** The opening hours of the days meant; of the week if they are closed days or none was said. */
function openings({ hours }: UtteranceContext, days: Days | undefined): Opening[] {
  if (!hours) return [];
  const week = officeWeekdays.map((_, at) => addDays("2024-01-01", at));
  const meant = week.filter((day) => days === undefined || coversWeekday(days, weekdayOf(day)));
  const open = (list: string[]) => list.flatMap((day) => openingOn(hours, day) ?? []);
  const own = open(meant);
  return own.length > 0 ? own : open(week);
}

const coversWeekday = ({ ranges }: Days, weekday: number): boolean =>
  ranges.some(({ from, until }) => {
    const last = until === undefined || until > addDays(from, 6) ? addDays(from, 6) : until;
    for (let day = from; day <= last; day = addDays(day, 1)) if (weekdayOf(day) === weekday) return true;
    return false;
  });

const candidates = ({ minutes, isEitherHalf }: Clock, half: "am" | "pm" | undefined): number[] => {
  if (!isEitherHalf) return [minutes];
  const both = [minutes % noon, (minutes % noon) + noon];
  return half === undefined ? both : [both[half === "am" ? 0 : 1]!];
};

/** All readings of a time that the opening hours leave. `part`: the part of the day said beside it. */
export function resolveTimes(
  context: UtteranceContext,
  choice: TimeChoice,
  days: Days | undefined,
  part: "am" | "pm" | undefined,
): Times[] {
  const [open, week] = [openings(context, days), openings(context, undefined)];
  const own = { isApproximate: choice.isApproximate === true };
  const others = (choice.or ? resolveTimes(context, choice.or, days, part) : []).filter(
    (one) =>
      week.length === 0 ||
      week.some(({ opens, closes }) =>
        one.from === 0 || one.until === minutesInDay ? one.from < closes && opens < one.until : opens <= one.from && one.until <= closes,
      ),
  );
  return [...readTimes(choice, open, week, part).map((times) => ({ ...times, ...own })), ...others];
}

function readTimes(choice: TimeChoice, open: Opening[], week: Opening[], part: "am" | "pm" | undefined): Omit<Times, "isApproximate">[] {
  const { from, until, edge, bound } = choice;
  if (edge) return [edgeTimes(edge, open, choice)];
  if (from !== until) return spans(choice, open, part);
  const all = candidates(from, part);
  // Who can be there only after work or before it means a time at which the office may be closed.
  const isIn = (hours: Opening[]) => (at: number) =>
    hours.some(({ opens, closes }) => opens <= at && (bound || choice.isApproximate ? at <= closes : at < closes));
  // "In the morning, until three".
  const others = bound ? candidates(from, undefined).filter(isIn(week)) : [];
  const both = all.some(isIn(week)) || others.length === 0 ? all : others;
  const awake = open.length > 0 ? both.filter((at) => at >= earliest) : both;
  const inHours = [open, week].map((hours) => both.filter(isIn(hours))).find((some) => some.length > 0) ?? [];
  const chosen = inHours.length > 0 ? inHours : bound === "from" && open.length > 0 ? nearest(both, open) : awake.length > 0 ? awake : both;
  if (bound === "from") return chosen.map((at) => ({ from: at, until: minutesInDay, isPoint: false }));
  if (bound === "either")
    return chosen.flatMap((at) => [
      { from: 0, until: at, isPoint: false },
      { from: at, until: minutesInDay, isPoint: false },
    ]);
  if (bound === "until") return chosen.map((at) => ({ from: 0, until: at || minutesInDay, isPoint: false }));
  return chosen.map((at) => ({ from: at, until: at, isPoint: true }));
}

/** The times nearest to the opening hours. */
function nearest(times: number[], open: Opening[]): number[] {
  const distance = (at: number) => Math.min(...open.map(({ opens, closes }) => Math.max(opens - at, at - closes, 0)));
  const least = Math.min(...times.map(distance));
  return times.filter((at) => distance(at) === least);
}

/** The shortest windows within the opening hours. */
function spans({ from, until }: TimeChoice, open: Opening[], part: "am" | "pm" | undefined): Omit<Times, "isApproximate">[] {
  const fromHalf = from.isEitherHalf && !until.isEitherHalf ? undefined : part;
  const all = candidates(from, fromHalf).flatMap((start) =>
    candidates(until, from.isEitherHalf ? undefined : part).flatMap((end) => {
      const last = end === 0 && !until.isEitherHalf ? minutesInDay : end;
      return last > start ? [{ from: start, until: last, isPoint: false }] : [];
    }),
  );
  const length = Math.min(...all.map((one) => one.until - one.from));
  const shortest = all.filter((one) => one.until - one.from === length);
  const within = shortest.filter((one) => open.some(({ opens, closes }) => one.from >= opens && one.until <= closes));
  const overlapping = shortest.filter((one) => open.some(({ opens, closes }) => one.from < closes && one.until > opens));
  const touching = shortest.filter((one) => open.some(({ opens, closes }) => one.from <= closes && one.until >= opens));
  return [within, overlapping, touching].find((some) => some.length > 0) ?? shortest;
}

const edgeMinutes = 60;
function edgeTimes(edge: "opening" | "closing", open: Opening[], { from, until }: TimeChoice): Omit<Times, "isApproximate"> {
  const opens = Math.min(...open.map((one) => one.opens));
  const closes = Math.max(...open.map((one) => one.closes));
  if (open.length === 0) return { from: from.minutes, until: until.minutes, isPoint: false };
  return edge === "opening"
    ? { from: opens, until: opens + edgeMinutes, isPoint: false }
    : { from: closes - edgeMinutes, until: closes, isPoint: false };
}

/** Today is not meant where its time is over or the office has closed for the day. */
export function isOverToday(context: UtteranceContext, today: string, minutes: number, days: Days, times: Times | undefined): boolean {
  if (singleDay(days) !== today) return false;
  if (times && (times.isPoint ? times.from < minutes : times.until <= minutes)) return true;
  if (!context.hours) return false;
  const open = openingOn(context.hours, today);
  return open === undefined || open.closes <= minutes;
}
