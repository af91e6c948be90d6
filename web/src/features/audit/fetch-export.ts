import { type AuditExport, exports } from "@vitaline/contract";
import { call } from "../../api/call.ts";

/** Has the browser save a file that answers as an attachment, so that the page stays. The link opens it to whoever holds it. */
export const saveExport = ({ url }: AuditExport): void => {
  if (url === undefined) throw new TypeError("An export without a link cannot be saved.");
  Object.assign(document.createElement("a"), { href: url, rel: "noreferrer" }).click();
};

/** How far an export is; of one that is ready, with a new link. */
export type AskForExport = (exportId: string) => Promise<AuditExport>;

export const askForTenantExport: AskForExport = (exportId) => call(exports.tenantAuditExport, { params: { exportId } });
export const askForPlatformExport: AskForExport = (exportId) => call(exports.auditExport, { params: { exportId } });
