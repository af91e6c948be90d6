import * as z from "zod/mini";
import { maybeSaid } from "../parse-args.ts";

export const Input = z.object({
  name: maybeSaid(80).check(z.describe('The provider the caller names, such as "Dr. Larkmere"')),
  specialty: maybeSaid(80).check(z.describe('A specialty, in the caller\'s words: "cardiology", "heart doctor"')),
  location: maybeSaid(80).check(z.describe("The clinic or town, or part of its name")),
});
export type Input = z.output<typeof Input>;
