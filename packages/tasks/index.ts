export { closeTask, listTasks, readTask } from "./tasks.ts";
export { closeByCall, createTask, noteFinding, type NewTask } from "./create-task.ts";
