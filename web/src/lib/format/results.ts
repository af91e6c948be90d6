import type { AuditLog, ToolRun } from "@vitaline/contract";

/** How what someone did, or a tool's run, ended. An emergency is neither a success nor a failure. */
export const results = {
  succeeded: { palette: "green", word: "Success" },
  failed: { palette: "red", word: "Failed" },
  emergency: { palette: "orange", word: "Emergency" },
} as const satisfies Record<ToolRun["status"], object>;

export const auditResult = ({ success, code }: Pick<AuditLog, "success" | "code">): (typeof results)[ToolRun["status"]] =>
  results[success ? "succeeded" : code === "emergency" ? "emergency" : "failed"];
