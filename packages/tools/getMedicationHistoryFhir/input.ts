import * as z from "zod/mini";
import { maybeSaid } from "../parse-args.ts";

const yes = new Set(["true", "yes", "1"]);
const maybeYes = z.pipe(
  z.nullish(z.union([z.boolean(), z.string().check(z.maxLength(10))], "is missing")),
  z.transform(
    (said: boolean | string | null | undefined): boolean =>
      said === true ||
      yes.has(
        String(said ?? "")
          .trim()
          .toLowerCase(),
      ),
  ),
);
z.globalRegistry.add(maybeYes, { type: "boolean", description: "True for what is prescribed now, without what has ended" });

export const Input = z.object({
  medicationName: maybeSaid(80).check(z.describe("The medication the caller names, also in part; all of them when left out")),
  activeOnly: z.optional(maybeYes),
});
export type Input = z.output<typeof Input>;
