import type { NewWebhook, Webhook } from "@vitaline/contract";

type Kept = Pick<Webhook, "url" | "events" | "description" | "includeContact">;

const labels: Record<keyof Kept, string> = {
  url: "address",
  events: "events",
  description: "description",
  includeContact: "whether contact details are sent",
};
const names = Object.keys(labels) as (keyof Kept)[];

const inOrder = (value: Kept[keyof Kept]): string => JSON.stringify(Array.isArray(value) ? value.toSorted() : value);

const changedNames = (before: Kept, after: Kept): (keyof Kept)[] => names.filter((name) => inOrder(before[name]) !== inOrder(after[name]));

/** Labels of the changed fields. */
export const differences = (before: Kept, after: Kept): string[] => changedNames(before, after).map((name) => labels[name]);

/** Only the changed fields, so that other users' changes are kept. */
export const changesTo = (before: Kept, { description, ...typed }: NewWebhook): Partial<Kept> => {
  const after = { ...typed, description: description ?? null };
  return Object.fromEntries(changedNames(before, after).map((name) => [name, after[name]]));
};
