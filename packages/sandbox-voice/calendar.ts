/** The page of a service where visitors book a demonstration; the public site frames one. */
export const calendarPath = "/calendar";

const times = ["9:00 AM", "9:30 AM", "11:00 AM", "1:30 PM", "3:00 PM"];
const shownDays = 4;
const dayMs = 86_400_000;

const daysFrom = (now: Date): string[] =>
  Array.from({ length: 2 * shownDays }, (_, at) => new Date(now.getTime() + (at + 1) * dayMs))
    .filter((day) => day.getUTCDay() % 6 !== 0)
    .slice(0, shownDays)
    .map((day) => new Intl.DateTimeFormat("en-US", { weekday: "long", month: "long", day: "numeric", timeZone: "UTC" }).format(day));

export const calendarPage = (now: Date): string => `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Sample calendar</title>
<style>
body{font:16px/1.5 system-ui;margin:0;padding:1.5rem;color-scheme:light dark}
section{margin:0 0 1.25rem}h1{font-size:1.25rem;margin:0 0 .25rem}h2{font-size:1rem;margin:0 0 .5rem}
ul{display:flex;flex-wrap:wrap;gap:.5rem;list-style:none;margin:0;padding:0}li{border:1px solid #8888;border-radius:.5rem;padding:.25rem .75rem}
</style>
<h1>Demo of Vitaline, 30 minutes</h1>
<p>A sample: no time can be booked on this machine. A deployed site shows the calendar that its settings name.</p>
${daysFrom(now)
  .map((day) => `<section><h2>${day}</h2><ul>${times.map((time) => `<li>${time}</li>`).join("")}</ul></section>`)
  .join("\n")}
</html>
`;
