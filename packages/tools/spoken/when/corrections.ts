import type { Reading, WhenReading } from "./reading.ts";

const taken = [
  ";|no wait|wait no|oh wait|wait|no sorry|sorry no|sorry|i mean|scratch that|or rather|better yet|no no|excuse me|actually",
  "(?<!(?:cant|couldnt|wont|can|could|not|to|might) )make (?:that|it)",
  "digo|perdon|mejor|quiero decir|no espere|no perdon",
];
const days = "(?:mon|tues|wednes|thurs|fri|satur|sun)day|tomorrow|today";
const hours = "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\\d";
/** "Nine no ten", not "there is no Tuesday". */
const no = `(?<=[^ ])(?<! (?:have|got|has|want|are|is|with|theres|say|there|said)) (?:(?:uh|um|er|eh) )?no(?= (?:(?:the|at|on|make it) )?(?:${days}|${hours}|[a-z]+th|first|second|third)(?: |$))`;

export const corrections = new RegExp(`(?:^| )(?:${taken.join("|")})(?= |$)|${no}`, "g");

export type Part = { reading: WhenReading; isEmpty: boolean };

/** A correction replaces the days or the time said before it. */
export function corrected(one: Part, other: Part): Part {
  if (other.isEmpty) return one;
  const [a, b] = [one.reading, other.reading];
  if (a.kind !== "reading" || b.kind !== "reading") return other;
  const { dates, time, window } = { ...a, ...b };
  const hasTime = b.time !== undefined || b.window !== undefined;
  const merged: Reading = {
    kind: "reading",
    ...(dates ? { dates } : {}),
    ...(hasTime ? timeOf(b) : { ...(time === undefined ? {} : { time }), ...(window ? { window } : {}) }),
    isApproximate: a.isApproximate || b.isApproximate,
  };
  return { reading: merged, isEmpty: false };
}

const timeOf = ({ time, window }: Reading) => ({ ...(time === undefined ? {} : { time }), ...(window ? { window } : {}) });
