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

/** How a status is shown; one that nobody has heard of is unknown. */
export const healthLook = (status: string): HealthLook => byStatus.get(status) ?? looks.unknown;
