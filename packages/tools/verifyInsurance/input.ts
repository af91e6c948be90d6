import * as z from "zod/mini";
import { maybeSaid } from "../parse-args.ts";

export const Input = z.object({
  payerName: maybeSaid(80).check(z.describe("The insurance company as the caller names it; the answer says whether it is the one on file")),
  memberId: maybeSaid(80).check(z.describe("The member ID as the caller reads it out; the answer says whether it is the one on file")),
});
export type Input = z.output<typeof Input>;
