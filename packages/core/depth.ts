/** Whether lists and objects lie in each other more than so many levels deep; asks no deeper than that. */
export const isDeeperThan = (value: unknown, levels: number): boolean =>
  typeof value === "object" && value !== null && (levels === 0 || Object.values(value).some((inner) => isDeeperThan(inner, levels - 1)));
