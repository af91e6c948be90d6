import * as z from "zod/mini";

/** Days for which something may be kept: a month, three, six, then one, two, three, six, seven and ten years. Each has a lifecycle rule in infra/stacks/data.ts. */
export const retentionDays = [30, 90, 180, 365, 730, 1095, 2190, 2557, 3653] as const;
export type RetentionDays = (typeof retentionDays)[number];
const Days = z.literal(retentionDays);

/** For how many days what a tenant's callers leave is kept, from the day on which it happened. */
export const Retention = z.strictObject({
  /** The record of a call and of the tools that ran in it. */
  calls: Days,
  /** What was said: transcript, summary, analysis and the numbers of a call. Never longer than the call. */
  transcripts: Days,
  /** Leads and tasks. */
  leads: Days,
  /** What is known of messages to patients. */
  messages: Days,
});
export type Retention = z.infer<typeof Retention>;

/** What holds for a tenant for which nothing else was set. Calls stay seven years, as the audit does. */
export const usualRetention: Retention = { calls: 2557, transcripts: 365, leads: 365, messages: 90 };
