import { leads, tenantCalls, tenantDashboard, type ToDo, type ToDoChange, toDo } from "@vitaline/contract";
import { call } from "../../lib/api/call.ts";
import { useRefresh } from "../../lib/api/use-refresh.ts";

export const conflictText = "A colleague has changed this in the meantime. The current version is shown: check it and try again.";

/** Marks an item as done or open, with `changes` in the same request. The call log and the leads show it too, so what was read of them is dropped. */
export const useMark = (onChanged: (item: ToDo) => void) => {
  const refresh = useRefresh();
  return async (item: ToDo, done: boolean, changes: Omit<ToDoChange, "done"> = {}): Promise<ToDo> => {
    const body = { ...changes, done };
    const changed = await call(toDo.changeToDo, { params: { toDoId: item.id }, body }, { ifMatch: item.version });
    onChanged(changed);
    await refresh(
      toDo.countToDo,
      tenantCalls.listCalls,
      tenantCalls.readCall,
      tenantDashboard.recentCalls,
      leads.listLeads,
      leads.readLead,
    );
    return changed;
  };
};
