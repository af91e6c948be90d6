import * as z from "zod/mini";

export const Provider = z.object({ name: z.string(), specialties: z.array(z.string()), locations: z.array(z.string()) });
export type Provider = z.output<typeof Provider>;

export const Output = z.object({
  providers: z.array(Provider),
  /** How many more there are like these. */
  more: z.number(),
});
export type Output = z.output<typeof Output>;
