import { accessNames } from "../../../lib/session/may.ts";

export const accessOptions = (["administrator", "staff", "auditor"] as const).map((value) => ({ value, label: accessNames[value] }));

export const accessHints = {
  administrator: "Everything, including keys, settings and the team.",
  staff: "Calls, tasks, leads and messages. No keys, no settings.",
  auditor: "The audit log, figures and exports. No calls, no keys, no settings.",
} as const;
