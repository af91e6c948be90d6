import { contract } from "@vitaline/contract";
import { listTools, testTool } from "@vitaline/tools";
import { withPlatform } from "../lib/context.ts";
import { reachingOut, withEhr } from "../lib/ehr.ts";
import { people } from "../lib/people.ts";
import { serve } from "../lib/serve.ts";
import { snippetVerbs } from "./snippets.ts";

export const handler = reachingOut(
  serve(
    contract.tools,
    people,
  )({
    listTools: async () => listTools(),
    ...snippetVerbs,
    testTool: (ctx, { params, body }) => testTool(withEhr(withPlatform(ctx), ctx.tenantId), { ...params, ...body }),
  }),
);
