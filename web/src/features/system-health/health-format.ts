type HealthLook = { label: "Healthy" | "Warning" | "Down" | "Unknown"; colorPalette: "green" | "yellow" | "red" | "gray" };

const looks = {
  healthy: { label: "Healthy", colorPalette: "green" },
  warning: { label: "Warning", colorPalette: "yellow" },
  down: { label: "Down", colorPalette: "red" },
  unknown: { label: "Unknown", colorPalette: "gray" },
} as const satisfies Record<string, HealthLook>;

const byStatus: ReadonlyMap<string, HealthLook> = new Map<string, HealthLook>([
  ["healthy", looks.healthy],
  ["operational", looks.healthy],
  ["warning", looks.warning],
  ["error", looks.down],
  ["down", looks.down],
]);

export const healthLook = (status: string): HealthLook => byStatus.get(status) ?? looks.unknown;

const dayMs = 86_400_000;
const windowDays = 30;
const day = new Intl.DateTimeFormat("en-US", { month: "short", day: "numeric", year: "numeric", timeZone: "UTC" });

/** "99.87%" */
export const formatUptime = (percent: number): string => `${percent.toLocaleString("en-US", { maximumFractionDigits: 2 })}%`;

/** `since` is the first measured UTC date, "2026-11-22". */
export const measuredOver = (since: string | null, checkedAt: string | null): string => {
  const isWhole = since === null || checkedAt === null || Date.parse(checkedAt) - Date.parse(since) >= (windowDays - 1) * dayMs;
  return isWhole ? `Of the last ${windowDays} days` : `Measured since ${day.format(new Date(since))} (UTC)`;
};
