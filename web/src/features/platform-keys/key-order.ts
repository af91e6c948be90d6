import type { PlatformKey } from "@vitaline/contract";

const rank: Record<PlatformKey["state"], number> = { active: 0, pending: 1, previous: 2, retired: 3 };

/** The key that signs first, then the one that will, then those that did; of one state the newest first. */
export const inOrder = (keys: readonly PlatformKey[]): PlatformKey[] =>
  keys.toSorted((one, other) => rank[one.state] - rank[other.state] || other.createdAt.localeCompare(one.createdAt));

/** Those that are in the published key set. */
export const published = (keys: readonly PlatformKey[]): PlatformKey[] => inOrder(keys).filter(({ state }) => state !== "retired");

/** The newest few of those that are published no more. */
export const lastRetired = (keys: readonly PlatformKey[]): PlatformKey[] =>
  inOrder(keys)
    .filter(({ state }) => state === "retired")
    .slice(0, 5);

/** As it is shown where there is not room for all of it. */
export const shortKid = (kid: string): string => `${kid.slice(0, 8)}…`;

export const stateLooks: Record<PlatformKey["state"], { name: string; colorPalette: string }> = {
  active: { name: "Signs now", colorPalette: "green" },
  pending: { name: "Signs soon", colorPalette: "blue" },
  previous: { name: "Previous", colorPalette: "orange" },
  retired: { name: "Retired", colorPalette: "gray" },
};
