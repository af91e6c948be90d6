const dayMs = 86_400_000;
const warnedDays = 30;

export type CertificateState = { colorPalette: "red" | "orange"; words: string } | undefined;

/** What is to be said of a certificate that runs out, or has; undefined while there is time enough. */
export const certificateState = (expiry: string, now: Date): CertificateState => {
  const days = Math.floor((Date.parse(expiry) - now.getTime()) / dayMs);
  if (days < 0) return { colorPalette: "red", words: "Expired" };
  if (days >= warnedDays) return undefined;
  return { colorPalette: "orange", words: days === 0 ? "Expires today" : `Expires in ${days} ${days === 1 ? "day" : "days"}` };
};
