export const dayMs = 86_400_000;

/** The date in UTC, as yyyy-mm-dd. */
export const utcDate = (at: Date | number): string => new Date(at).toISOString().slice(0, 10);

/** Age in whole years on `today`; both yyyy-mm-dd. A birthday on February 29 is on March 1 in other years. */
export const ageOn = (today: string, birthDate: string): number =>
  Number(today.slice(0, 4)) - Number(birthDate.slice(0, 4)) - (today.slice(5) < birthDate.slice(5) ? 1 : 0);
