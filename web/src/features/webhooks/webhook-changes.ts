import type { NewWebhook, Webhook } from "@vitaline/contract";
import type * as z from "zod/mini";
import { changedFields } from "../../lib/forms/use-edit-form.ts";

export type WebhookValues = z.input<typeof NewWebhook>;

type Editable = Pick<Webhook, "url" | "events" | "description" | "includeContact">;

export const emptyValues: WebhookValues = { url: "", events: [], description: "", includeContact: false };

export const valuesOf = ({ url, events, description, includeContact }: Editable): WebhookValues => ({
  url,
  events,
  description: description ?? "",
  includeContact,
});

const labels: Record<keyof Editable, string> = {
  url: "address",
  events: "events",
  description: "description",
  includeContact: "whether contact details are sent",
};
const names = Object.keys(labels) as (keyof Editable)[];

const sortEvents = (webhook: Editable): Editable => ({ ...webhook, events: webhook.events.toSorted() });

const changedNames = (before: Editable, after: Editable) => changedFields(names, sortEvents(before), sortEvents(after));

/** Labels of the changed fields. */
export const differences = (before: Editable, after: Editable): string[] => changedNames(before, after).map((name) => labels[name]);

/** Only the changed fields, so that other users' changes are kept. */
export const changesTo = (before: Editable, { description, ...typed }: NewWebhook): Partial<Editable> => {
  const after = { ...typed, description: description ?? null };
  return Object.fromEntries(changedNames(before, after).map((name) => [name, after[name]]));
};
