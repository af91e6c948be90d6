export { closeTask, listTasks, readTask } from "./tasks.ts";
export { closeTaskByCall, createTask, addFinding, type NewTask } from "./create-task.ts";
export { mailDailyNotice, mailEmergency } from "./notices/send.ts";
export { changeNotices, readNotices } from "./notices/settings.ts";
export { changeToDo } from "./to-do/change.ts";
export { countToDo, listToDo } from "./to-do/list.ts";
export { readToDo } from "./to-do/read.ts";
export { checkAfter, projectTroubles, spreadCheck, troubleCheck } from "./to-do/troubles.ts";
export {
  projectedWrite,
  projectState,
  stateOfCall,
  stateOfConnection,
  stateOfLead,
  stateOfTask,
  type ConnectionFacts,
  type SourceState,
} from "./to-do/source-state.ts";
