import * as z from "zod/mini";

/** The allowed retention periods in days. Each has a lifecycle rule in infra/stacks/data.ts. */
export const retentionDays = [30, 90, 180, 365, 730, 1095, 2190, 2557, 3653] as const;
export type RetentionDays = (typeof retentionDays)[number];
const Days = z.literal(retentionDays);

/** A tenant's retention periods in days, from the day of the call or message. */
export const Retention = z.strictObject({
  /** The records of calls and tool runs. */
  calls: Days,
  /** Transcript, summary, analysis and phone numbers. Never longer than the call. */
  transcripts: Days,
  leads: Days,
  /** Records of messages to patients. */
  messages: Days,
});
export type Retention = z.infer<typeof Retention>;

/** The defaults. Calls are kept for seven years, like the audit. */
export const defaultRetention: Retention = { calls: 2557, transcripts: 365, leads: 365, messages: 90 };
