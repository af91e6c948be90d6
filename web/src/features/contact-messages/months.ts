const shown = 12;

/** The last months, this one first, in UTC: "2026-05" and "May 2026". */
export const lastMonths = (now: Date): (readonly [month: string, name: string])[] =>
  Array.from({ length: shown }, (_, ago) => {
    const first = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - ago, 1));
    const name = new Intl.DateTimeFormat("en-US", { month: "long", year: "numeric", timeZone: "UTC" }).format(first);
    return [first.toISOString().slice(0, 7), name] as const;
  });
