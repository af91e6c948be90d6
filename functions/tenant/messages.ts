import type { messages } from "@vitaline/contract";
import { listMessages } from "@vitaline/messages";
import { answerWith } from "../lib/reply.ts";
import type { Handlers } from "../lib/serve.ts";

export const messageVerbs: Handlers<typeof messages> = {
  listMessages: async (ctx, { query }) => {
    const { rows, next } = await listMessages(ctx, query);
    return answerWith(rows, { next });
  },
};
