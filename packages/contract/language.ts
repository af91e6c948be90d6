import * as z from "zod/mini";

/** What the agents speak. */
export const Language = z.enum(["en", "es"]);
export type Language = z.infer<typeof Language>;
