import type { DayChoice, ParseState, TimeChoice } from "./parse-state/parse-state.ts";
import { isOverToday, resolveTimes, type Times } from "./resolve-times.ts";
import { notToday } from "./rules/date-relations.ts";
import { anyReading, asked, type TimeReading, unknown, type WhenReading } from "./parse-state/reading.ts";
import { oneTime, type SaidTime } from "./single-time.ts";
import { found, oneChoice } from "./day-choice.ts";

export function combined(state: ParseState): WhenReading {
  const left = state.text.replace(/(?<!\w)[dt]\d+(?!\w)/g, " ");
  if (/\d/.test(left) || isDayOrTime(state.text)) return unknown;
  const days = oneChoice(state, state.text);
  const times = oneTime(found(state.text, "t", state.times));
  if (!days || !times) return asked(alternatives(state));
  return days.length === 0 && times.length === 0 ? unknown : asked(readingsOf(state, days[0], times));
}

/** "After five or Saturday": at no time that is said of the day. */
function isDayOrTime(text: string): boolean {
  const kinds = text.split(/(?<= |^)or(?= )/).map((part) => [/(?<!\w)d\d/, /(?<!\w)t\d/].map((token) => token.test(part)));
  return kinds.some(([day, time], at) => day && !time && [kinds[at - 1], kinds[at + 1]].some((next) => next && !next[0] && next[1]));
}

/** "Monday morning or Wednesday afternoon": each has a day and a time of its own. */
function alternatives(state: ParseState): TimeReading[] {
  const all = state.text.split(/ (?:or|and|otherwise|then)(?= )/).filter((text) => /(?<!\w)[dt]\d/.test(text));
  const days = all.map((text) => oneChoice(state, text) ?? []);
  const read = all.map((text, at) => {
    const times = oneTime(found(text, "t", state.times));
    const [own, other] = [days[at]?.[0], days[at === 0 ? 1 : 0]?.[0]];
    return own && other && times?.length === 1 ? readingsOf(state, notToday(state, own, other), times) : [];
  });
  return read.every((one) => one.length > 0) ? atOneTime(read.flat()) : [];
}

/** "Ten tomorrow or ten on Friday" is one time on either day. */
function atOneTime(all: TimeReading[]): TimeReading[] {
  const [{ dates: _, ...first } = anyReading, ...others] = all;
  const isSame = others.every(({ dates: __, ...time }) => JSON.stringify(time) === JSON.stringify(first));
  return isSame ? [{ ...first, dates: all.flatMap(({ dates = [] }) => dates).toSorted((a, b) => a.from.localeCompare(b.from)) }] : all;
}

function readingsOf({ context, today, minutes }: ParseState, days: DayChoice | undefined, [time]: SaidTime[]): TimeReading[] {
  const all = (days?.either ?? [undefined]).flatMap((one) => {
    const settled = time ? resolveTimes(context, time.choice, one, time.part?.half) : [undefined];
    return settled.flatMap((times) => {
      const inPart = times && time?.part ? intersected(times, time.part) : times;
      return inPart === null ? [] : [{ days: one, times: inPart }];
    });
  });
  const ahead = all.filter(({ days: one, times }) => one === undefined || !isOverToday(context, today, minutes, one, times));
  const kept = ahead.length > 0 ? ahead : all;
  return kept.map(({ days: one, times }): TimeReading => ({
    kind: "reading",
    ...(one ? { dates: one.ranges } : {}),
    ...(times ? (times.isPoint ? { time: times.from } : { window: { from: times.from, until: times.until } }) : {}),
    isApproximate: one?.isApproximate === true || times?.isApproximate === true,
  }));
}

/** "Tomorrow afternoon after three": null where the two have no minute in common. */
function intersected(times: Times, { from, until, half }: TimeChoice): Times | null {
  if (times.isPoint) return (half === "am") === times.from < 720 ? times : null;
  // "In the afternoon, after five".
  if (half === "pm" && times.until === 1440 && times.from >= until.minutes && from.minutes === 720) return times;
  const both = { from: Math.max(times.from, from.minutes), until: Math.min(times.until, until.minutes) };
  return both.from < both.until ? { ...times, ...both } : null;
}
