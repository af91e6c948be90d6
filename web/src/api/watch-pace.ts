const [firstMs, longestMs] = [2000, 30_000];

/** After so many questions, about a quarter of an hour, it is not watched any more. */
export const mostAsks = 33;

/** How long to wait before asking again how far something is: most ends within seconds, some takes minutes. */
export const waitMs = (asked: number): number => Math.min(longestMs, firstMs * 2 ** asked);
