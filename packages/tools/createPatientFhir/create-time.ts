/** How long creates have lately taken at each EHR, as far as this process knows, in milliseconds. */
const lately = new Map<string, number[]>();
const mostKept = 20;
const mostEhrs = 1000;
const usualMs = 500;

export function noteCreateTime(providerId: string, ms: number): void {
  if (lately.size >= mostEhrs && !lately.has(providerId)) lately.clear();
  lately.set(providerId, [...(lately.get(providerId) ?? []), ms].slice(-mostKept));
}

/**
 * How long to wait where nothing is created, so that the time does not tell who is a patient: as long as one of the last creates took, so
 * that also the spread is alike. What remains: a process that has created nothing yet knows only the usual time, and an EHR whose speed
 * changes is followed one create behind. What can be asked in an hour is limited for that reason, too.
 */
export function anyCreateTimeMs(providerId: string): number {
  const known = lately.get(providerId) ?? [usualMs];
  const one = known[Math.floor(Math.random() * known.length)] ?? usualMs;
  return one * (0.9 + Math.random() / 5);
}
