import { addDays, weekdayOf, weekdaysWithin } from "../calendar.ts";
import { type DayChoice, type Days, type ParseState, oneDay, rangeOf } from "./parse-state/parse-state.ts";

export const found = <T>(text: string, letter: "d" | "t", list: T[]): T[] =>
  [...new Set(text.match(new RegExp(`(?<!\\w)${letter}\\d+(?!\\w)`, "g")))].map((token) => list[Number(token.slice(1))]!);

export const oneChoice = (state: ParseState, text: string): DayChoice[] | undefined =>
  found(text, "d", state.days).reduce<DayChoice[] | undefined>((all, one) => together(all, one), []);

/** A weekday within a week, a day within a month, or twice the same. */
function together(all: DayChoice[] | undefined, next: DayChoice): DayChoice[] | undefined {
  const last = all?.[0];
  if (!all || !last) return all && [next];
  if (last.weekdays && next.weekdays && String(last.weekdays) === String(next.weekdays) && last.either.length === next.either.length)
    return [last.either[0]!.ranges.length >= next.either[0]!.ranges.length ? last : next];
  const starts = [last, next].map(({ either }) => either.flatMap(({ ranges }) => (ranges.length === 1 && !ranges[0]!.until ? ranges : [])));
  // "Not before the holiday, so Friday or after".
  if (starts.every((some) => some.length === 1)) return [starts[0]![0]!.from > starts[1]![0]!.from ? last : next];
  for (const [inner, outer] of [
    [last, next],
    [next, last],
  ] as const) {
    const narrow = within(inner, outer);
    if (narrow.length > 0) return [{ either: narrow }];
  }
  return undefined;
}

const weekLike = 4;
function within(inner: DayChoice, outer: DayChoice): Days[] {
  const narrow = outer.either.map(({ ranges }) => {
    const [{ from, until } = { from: "" }] = ranges;
    // "A Thursday, like the tenth or the seventeenth".
    if (ranges.length > 1 && inner.weekdays)
      return ranges.every((range) => range.from === range.until && inner.weekdays!.includes(weekdayOf(range.from))) ? [{ ranges }] : [];
    if (ranges.length !== 1 || until === undefined) return [];
    const [endless] = inner.either.length === 1 ? inner.either[0]!.ranges : [];
    if (endless && endless.until === undefined && endless.from >= from && endless.from <= until) return [rangeOf(endless.from, until)];
    // "After Thanksgiving, like in December".
    if (endless && endless.until === undefined && endless.from < from && until >= addDays(from, weekLike)) return [rangeOf(from, until)];
    if (inner.weekdays && from !== until) {
      const all = inner.weekdays.flatMap((weekday) => weekdaysWithin(from, until, weekday)).toSorted();
      return all.length > 0 ? [{ ranges: all.map((day) => ({ from: day, until: day })) }] : [];
    }
    if (inner.weekdays) return inner.weekdays.includes(weekdayOf(from)) ? [oneDay(from)] : [];
    const own = inner.either.filter((one) =>
      one.ranges.every((range) => range.from >= from && range.until !== undefined && range.until <= until),
    );
    // "The end of December, like the 28th".
    return own.length > 0 || from === until ? own : (inner.others ?? []).filter((day) => from <= day && day <= until).map(oneDay);
  });
  return [...new Map(narrow.flat().map((days) => [JSON.stringify(days), days])).values()];
}
