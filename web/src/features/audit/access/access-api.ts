import { type AccessReport, type AccessReportDetail, accessReports, type ExportFormat } from "@vitaline/contract";
import { call } from "../../../lib/api/call.ts";
import type { AccessRequest } from "./access-values.ts";

/** The routes of one kind of administrator. */
export type AccessApi = {
  list: typeof accessReports.listAccessReports | typeof accessReports.listPlatformAccessReports;
  request(asked: AccessRequest): Promise<AccessReport>;
  read(reportId: string, asked?: { page?: number; download?: ExportFormat }): Promise<AccessReportDetail>;
};

const queryOf = ({ page = 1, download }: { page?: number; download?: ExportFormat } = {}) => ({ page, ...(download && { download }) });

export const tenantAccess: AccessApi = {
  list: accessReports.listAccessReports,
  request: ({ tenantId: _own, ...body }) => call(accessReports.requestAccessReport, { body }),
  read: (reportId, asked) => call(accessReports.accessReport, { params: { reportId }, query: queryOf(asked) }),
};

export const platformAccess: AccessApi = {
  list: accessReports.listPlatformAccessReports,
  request: (body) => call(accessReports.requestPlatformAccessReport, { body }),
  read: (reportId, asked) => call(accessReports.platformAccessReport, { params: { reportId }, query: queryOf(asked) }),
};
