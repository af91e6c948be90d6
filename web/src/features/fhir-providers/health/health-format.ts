import type { FhirHealth } from "@vitaline/contract";

/** `formatInstant` formats an ISO instant. */
export const describeHistory = (history: FhirHealth["history"], formatInstant: (instant: string) => string): string => {
  const failed = history.filter(({ status }) => status === "unhealthy");
  const last = failed.at(-1);
  if (history.length === 1) return last ? "The only check so far failed." : "The only check so far was healthy.";
  if (last === undefined) return `All of the last ${history.length} checks were healthy.`;
  const count = history.length - failed.length;
  const healthy = count === 0 ? `None of the last ${history.length} checks was` : `${count} of the last ${history.length} checks were`;
  return `${healthy} healthy; last failure ${formatInstant(last.at)}.`;
};

const dayMs = 86_400_000;
const warnedDays = 30;

type CertificateState = { colorPalette: "red" | "orange"; label: string } | undefined;

/** undefined if the certificate is valid for 30 days or more */
export const certificateState = (expiry: string, now: Date): CertificateState => {
  const days = Math.floor((Date.parse(expiry) - now.getTime()) / dayMs);
  if (days < 0) return { colorPalette: "red", label: "Expired" };
  if (days >= warnedDays) return undefined;
  return { colorPalette: "orange", label: days === 0 ? "Expires today" : `Expires in ${days} ${days === 1 ? "day" : "days"}` };
};
