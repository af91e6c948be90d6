import { listContactMessages } from "@vitaline/contact";
import type { contactMessages } from "@vitaline/contract";
import { answerWith } from "../lib/reply.ts";
import type { Handlers } from "../lib/serve.ts";

export const contactVerbs: Handlers<typeof contactMessages> = {
  contactMessages: async (ctx, { query }) => {
    const { rows, next } = await listContactMessages(ctx, query);
    return answerWith(rows, { next });
  },
};
