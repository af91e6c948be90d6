import * as z from "zod/mini";
import { ForeignBody, webhookBytes } from "./hooks.ts";
import { routes } from "./route.ts";

const fn = { method: "POST", auth: "key", noStore: true, maxBodyBytes: webhookBytes, body: ForeignBody, response: z.unknown() } as const;

/** Custom functions of Retell AI, which carry the live call with its transcript. Source: retell-sdk 5.66.1, Retell's pages on custom functions. */
export const retell = routes({
  retellFunction: { ...fn, path: "/api/retell/function", summary: "Run the tool that a Retell AI agent asks for" },
  retellNamedFunction: {
    ...fn,
    path: "/api/retell/function/{toolName}",
    summary: "The same for a function whose arguments are the whole body",
    params: z.object({ toolName: z.string().check(z.maxLength(100)) }),
  },
});
