import { type BusinessHours, weekdays } from "@vitaline/contract";

const shortNames = { monday: "Mon", tuesday: "Tue", wednesday: "Wed", thursday: "Thu", friday: "Fri", saturday: "Sat", sunday: "Sun" };

/** "09:00" → "9:00 AM" */
const formatTime = (time: string): string => {
  const [hour = 0, minute = 0] = time.split(":").map(Number);
  return `${hour % 12 || 12}:${String(minute).padStart(2, "0")} ${hour < 12 ? "AM" : "PM"}`;
};

/** 23:59 stands for the end of the day. */
const formatRange = (range: { start: string; end: string } | null): string => {
  if (range === null) return "closed";
  if (range.start === "00:00" && range.end === "23:59") return "open 24 hours";
  return `${formatTime(range.start)} – ${range.end === "23:59" ? "midnight" : formatTime(range.end)}`;
};

type Run = { first: string; last: string; text: string };

const formatDays = ({ first, last }: Run): string => {
  if (first === last) return first;
  return first === "Mon" && last === "Sun" ? "Every day" : `${first}–${last}`;
};

/** "Mon–Fri 9:00 AM – 5:00 PM", one line for each run of equal days. */
export const formatWeeklyHours = ({ start, end, days }: Pick<BusinessHours, "start" | "end" | "days">): string[] => {
  const runs: Run[] = [];
  for (const day of weekdays) {
    const own = days?.[day];
    const text = formatRange(own === undefined ? { start, end } : own);
    const before = runs.at(-1);
    if (before?.text === text) before.last = shortNames[day];
    else runs.push({ first: shortNames[day], last: shortNames[day], text });
  }
  return runs.map((run) => `${formatDays(run)} ${run.text}`);
};
