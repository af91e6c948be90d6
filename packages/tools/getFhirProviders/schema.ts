import * as z from "zod/mini";
import { optionalText } from "../sdk/arguments.ts";

export const Input = z.object({
  name: optionalText(80).check(z.describe('The provider the caller names, such as "Dr. Larkmere"')),
  specialty: optionalText(80).check(z.describe('A specialty, in the caller\'s words: "cardiology", "heart doctor"')),
  location: optionalText(80).check(z.describe("The clinic or town, or part of its name")),
});
export type Input = z.output<typeof Input>;

export const Provider = z.object({ name: z.string(), specialties: z.array(z.string()), locations: z.array(z.string()) });
export type Provider = z.output<typeof Provider>;

export const Output = z.object({
  providers: z.array(Provider),
  more: z.number(),
});
export type Output = z.output<typeof Output>;
