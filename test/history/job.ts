import * as z from "zod/mini";

const Account = z.object({ webhookUrl: z.url(), webhookSecret: z.string(), agentId: z.string(), calledNumber: z.string() });

/** What packages/local-cloud/demo/history.ts asks of one process: the past of one clinic. */
export const Job = z.object({
  /** The environment of the function that serves voice platforms. */
  environment: z.record(z.string(), z.string()),
  origin: z.url(),
  ehrOrigin: z.url(),
  clinic: z.object({
    /** Its place in the demo; each has a history of its own. */
    number: z.int(),
    kind: z.enum(["family", "children"]),
    id: z.string(),
    apiKey: z.string(),
    adminId: z.string(),
    officeNumbers: z.array(z.string()).check(z.minLength(1)),
    accounts: z.object({ vapi: Account, retell: Account, elevenlabs: Account }),
  }),
  /** The day on which the demo was made; the history ends the day before. */
  startDay: z.iso.date(),
  days: z.int().check(z.positive()),
  calls: z.int().check(z.positive()),
  /** Calls that an earlier start is known to have finished. */
  finished: z.int(),
});
export type Job = z.infer<typeof Job>;

/** Lines on standard output. */
export const Told = z.union([
  z.object({ finished: z.int() }),
  z.object({ callsMade: z.literal(true) }),
  z.object({ whole: z.literal(true) }),
]);
export type Told = z.infer<typeof Told>;
