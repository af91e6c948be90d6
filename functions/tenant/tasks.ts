import type { tasks } from "@vitaline/contract";
import { closeTask, listTasks, readTask } from "@vitaline/tasks";
import { answerWith } from "../lib/reply.ts";
import type { Handlers } from "../lib/serve.ts";

export const taskVerbs: Handlers<typeof tasks> = {
  listTasks: async (ctx, { query }) => {
    const { rows, next } = await listTasks(ctx, query);
    return answerWith(rows, { next });
  },
  readTask: (ctx, { params }) => readTask(ctx, params.taskId),
  closeTask: (ctx, { params, body, ifMatch }) => closeTask(ctx, params.taskId, body.closed, ifMatch),
};
