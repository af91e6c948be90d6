import { clinicClock, clinicDate } from "../../packages/sandbox-ehr/store/clinic-time.ts";
import { hashText, seededRandom } from "../../packages/sandbox-ehr/seed/patients.ts";
import type { Job } from "./job.ts";
import { type StoryName, storiesOf } from "./stories.ts";

export const platforms = ["vapi", "retell", "elevenlabs"] as const;

export type PlannedCall = {
  /** The platform's id of the call, the same at every start. */
  id: string;
  startsAtMs: number;
  platform: (typeof platforms)[number];
  story: StoryName;
  office: number;
  /** Numbers of this call alone, so that one more draw in a story changes no other call. */
  random: () => number;
};

const weighted = <T>(random: () => number, choices: readonly (readonly [T, number])[]): T => {
  const total = choices.reduce((sum, [, weight]) => sum + weight, 0);
  let rest = random() * total;
  return (choices.find(([, weight]) => (rest -= weight) < 0) ?? choices.at(-1)!)[0];
};

/** Sunday first: practices are called most on Mondays. */
const ofWeekday = [0.1, 1.35, 1.12, 1, 0.95, 0.85, 0.22];
const opensAt = 7;
const ofHour = [0.35, 1.5, 2.1, 1.9, 1.5, 0.9, 1.25, 1.6, 1.4, 1.1, 0.55, 0.3, 0.22, 0.15];
const growth = 0.7;
const platformShares = { family: [6, 3, 2], children: [3, 5, 2] } as const;

/** The calls of the days before the start, in order: hours, weekdays and growth of a practice, drawn with a seed. */
export function planCalls({ clinic, startDay, days, calls }: Pick<Job, "clinic" | "startDay" | "days" | "calls">): PlannedCall[] {
  const random = seededRandom(hashText(`history of clinic ${clinic.number}`));
  const noon = new Date(`${startDay}T17:00:00Z`);
  const hours = Array.from({ length: days }, (_, at) => clinicDate(noon, at - days)).flatMap((day, at) => {
    const weekday = new Date(`${day}T00:00:00Z`).getUTCDay();
    const busy = (1 - growth / 2 + (growth * at) / days) * (ofWeekday[weekday] ?? 1) * (0.8 + 0.4 * random());
    return ofHour.map(
      (share, hour) =>
        [{ day, hour: opensAt + hour, isOpen: weekday % 6 !== 0 && hour + opensAt >= 9 && hour + opensAt < 17 }, busy * share] as const,
    );
  });
  const starts = Array.from({ length: calls }, () => {
    const { day, hour, isOpen } = weighted(random, hours);
    return { startsAtMs: Date.parse(clinicClock(day)(hour * 60 + Math.floor(random() * 60))) + Math.floor(random() * 60_000), isOpen };
  }).toSorted((a, b) => a.startsAtMs - b.startsAtMs);
  const shares = platformShares[clinic.kind];
  return starts.map(({ startsAtMs, isOpen }, at) => {
    const own = seededRandom(hashText(`call ${at + 1} of clinic ${clinic.number}`));
    const platform = weighted(
      own,
      platforms.map((name, nth) => [name, shares[nth] ?? 1] as const),
    );
    const story = weighted(own, storiesOf(clinic.kind, isOpen));
    const office = own() < 0.65 ? 0 : Math.floor(own() * clinic.officeNumbers.length);
    return { id: `demo-${clinic.id}-history-${at + 1}`, startsAtMs, platform, story, office, random: own };
  });
}
