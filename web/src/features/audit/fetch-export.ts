import { type AuditExport, exports } from "@vitaline/contract";
import { call } from "../../lib/api/call.ts";
import { saveFrom } from "../../lib/dom/download.ts";

/** Its file, which opens to anyone who has its link. */
export const saveExport = ({ url }: AuditExport): void => {
  if (url === undefined) throw new TypeError("An export without a link cannot be saved.");
  saveFrom(url);
};

/** How far an export is; of one that is ready, with a new link. */
export type AskForExport = (exportId: string) => Promise<AuditExport>;

export const askForTenantExport: AskForExport = (exportId) => call(exports.tenantAuditExport, { params: { exportId } });
export const askForPlatformExport: AskForExport = (exportId) => call(exports.auditExport, { params: { exportId } });
