export type HealthLabel = { label: "Healthy" | "Warning" | "Down" | "Unknown"; colorPalette: "green" | "yellow" | "red" | "gray" };

const labels = {
  healthy: { label: "Healthy", colorPalette: "green" },
  warning: { label: "Warning", colorPalette: "yellow" },
  down: { label: "Down", colorPalette: "red" },
  unknown: { label: "Unknown", colorPalette: "gray" },
} as const satisfies Record<string, HealthLabel>;

const byStatus: ReadonlyMap<string, HealthLabel> = new Map<string, HealthLabel>([
  ["healthy", labels.healthy],
  ["operational", labels.healthy],
  ["warning", labels.warning],
  ["error", labels.down],
  ["down", labels.down],
]);

export const healthLabel = (status: string): HealthLabel => byStatus.get(status) ?? labels.unknown;

const dayMs = 86_400_000;
const windowDays = 30;
const day = new Intl.DateTimeFormat("en-US", { month: "short", day: "numeric", year: "numeric", timeZone: "UTC" });

/** "99.87%" */
export const formatUptime = (percent: number): string => `${percent.toLocaleString("en-US", { maximumFractionDigits: 2 })}%`;

/** `since` is the first measured UTC date, "2026-11-22". */
export const uptimePeriod = (since: string | null, checkedAt: string | null): string => {
  const isWhole = since === null || checkedAt === null || Date.parse(checkedAt) - Date.parse(since) >= (windowDays - 1) * dayMs;
  return isWhole ? `Of the last ${windowDays} days` : `Measured since ${day.format(new Date(since))} (UTC)`;
};
