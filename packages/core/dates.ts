export const dayMs = 86_400_000;

/** The date in UTC, as yyyy-mm-dd. */
export const utcDate = (at: Date | number): string => new Date(at).toISOString().slice(0, 10);
