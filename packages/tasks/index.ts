export { closeTask, listTasks, readTask } from "./tasks.ts";
export { closeTaskByCall, createTask, addFinding, type NewTask } from "./create-task.ts";
