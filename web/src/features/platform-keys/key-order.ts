import type { PlatformKey } from "@vitaline/contract";

const rank: Record<PlatformKey["state"], number> = { active: 0, pending: 1, previous: 2, retired: 3 };

/** The active key first, then pending, then previous keys; within a state the newest first. */
export const inOrder = (keys: readonly PlatformKey[]): PlatformKey[] =>
  keys.toSorted((one, other) => rank[one.state] - rank[other.state] || other.createdAt.localeCompare(one.createdAt));

export const published = (keys: readonly PlatformKey[]): PlatformKey[] => inOrder(keys).filter(({ state }) => state !== "retired");

export const lastRetired = (keys: readonly PlatformKey[]): PlatformKey[] =>
  inOrder(keys)
    .filter(({ state }) => state === "retired")
    .slice(0, 5);

/** For display. */
export const shortKid = (kid: string): string => `${kid.slice(0, 8)}…`;

export const stateLooks: Record<PlatformKey["state"], { name: string; colorPalette: string }> = {
  active: { name: "Signs now", colorPalette: "green" },
  pending: { name: "Signs soon", colorPalette: "blue" },
  previous: { name: "Previous", colorPalette: "orange" },
  retired: { name: "Retired", colorPalette: "gray" },
};
