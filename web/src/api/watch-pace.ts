const [firstMs, longestMs] = [2000, 30_000];

/** After so many questions, about a quarter of an hour, nobody waits for the file any more. */
export const mostAsks = 33;

/** How long to wait before asking again how far an export is: most are ready within seconds, some take minutes. */
export const waitMs = (asked: number): number => Math.min(longestMs, firstMs * 2 ** asked);
