import * as z from "zod/mini";

/** The body of every answer that is not 2xx. `error` is a sentence a person can read. */
export const Problem = z.object({
  error: z.string(),
  code: z.string(),
  requestId: z.string(),
  fields: z.optional(z.record(z.string(), z.string())),
});
export type Problem = z.infer<typeof Problem>;
