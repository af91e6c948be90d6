import { type BusinessHours, weekdays } from "@vitaline/contract";

const shortNames = { monday: "Mon", tuesday: "Tue", wednesday: "Wed", thursday: "Thu", friday: "Fri", saturday: "Sat", sunday: "Sun" };

/** "09:00" → "9:00 AM" */
const formatTime = (time: string): string => {
  const [hour = 0, minute = 0] = time.split(":").map(Number);
  return `${hour % 12 || 12}:${String(minute).padStart(2, "0")} ${hour < 12 ? "AM" : "PM"}`;
};

type DayHours = Pick<BusinessHours, "start" | "end" | "breaks">;

/** 23:59 stands for the end of the day. */
const formatRange = (range: DayHours | null): string => {
  if (range === null) return "closed";
  const { start, end, breaks = [] } = range;
  if (start === "00:00" && end === "23:59" && breaks.length === 0) return "open 24 hours";
  const starts = [start, ...breaks.map((one) => one.end)];
  const ends = [...breaks.map((one) => one.start), end];
  return starts.map((from, at) => `${formatTime(from)} – ${formatEnd(ends[at] ?? end)}`).join(", ");
};

const formatEnd = (time: string): string => (time === "23:59" ? "midnight" : formatTime(time));

type Run = { first: string; last: string; text: string };

const formatDays = ({ first, last }: Run): string => {
  if (first === last) return first;
  return first === "Mon" && last === "Sun" ? "Every day" : `${first}–${last}`;
};

/** "Mon–Fri 9:00 AM – 12:00 PM, 1:00 PM – 5:00 PM", one line for each run of equal days. */
export const formatWeeklyHours = ({ days, ...everyDay }: DayHours & Pick<BusinessHours, "days">): string[] => {
  const runs: Run[] = [];
  for (const day of weekdays) {
    const own = days?.[day];
    const text = formatRange(own === undefined ? everyDay : own);
    const before = runs.at(-1);
    if (before?.text === text) before.last = shortNames[day];
    else runs.push({ first: shortNames[day], last: shortNames[day], text });
  }
  return runs.map((run) => `${formatDays(run)} ${run.text}`);
};
