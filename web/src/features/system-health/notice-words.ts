import type { TenantNotice, TenantRouteKey } from "@vitaline/contract";
import { toolInText } from "../../lib/format/labels.ts";
import { formatCount } from "../../lib/format/numbers.ts";

/** `needs`: the page of the action opens to users whose access opens this route. */
type Words = { title: string; text: string; to: string; action: string; needs: TenantRouteKey };

const listed = new Intl.ListFormat("en-US", { type: "conjunction" });

const words: Record<TenantNotice["kind"], (notice: TenantNotice) => Words> = {
  no_record_system: ({ names }) => ({
    title: "No record system: calls fail",
    text:
      names.length === 0
        ? "No active record system is assigned. Voice agents cannot look up patients or book appointments."
        : `No active record system is assigned to ${listed.format(names)}. Voice agents there cannot look up patients or book appointments.`,
    to: "/tenant?tab=fhir",
    action: "See record systems",
    needs: "GET /api/tenant/dashboard/fhir-providers",
  }),
  record_system_fails: ({ names }) => ({
    title: `The record system ${listed.format(names)} does not work`,
    text: "Its last check failed, so tools that need it fail.",
    to: "/tenant?tab=system",
    action: "See system health",
    needs: "GET /api/tenant/dashboard/system-health",
  }),
  voice_platform_fails: ({ names }) => ({
    title: `The voice platform ${listed.format(names)} does not work`,
    text: "Its last check failed, so calls may not arrive.",
    to: "/tenant?tab=system",
    action: "See system health",
    needs: "GET /api/tenant/dashboard/system-health",
  }),
  key_refused: ({ names }) => ({
    title: `${listed.format(names)} refuses the key`,
    text: "The stored key or secret was not accepted at the last check. It has to be replaced.",
    to: "/tenant?tab=system",
    action: "See system health",
    needs: "GET /api/tenant/dashboard/system-health",
  }),
  tools_fail: ({ names, runs, failedRuns }) => ({
    title: "Tools are failing",
    text: `${formatCount(failedRuns ?? 0)} of ${formatCount(runs ?? 0)} tool runs failed yesterday and today: ${listed.format(names.map(toolInText))}.`,
    to: "/tenant/calls?range=24hours&toolFailed=true&withoutTests=true",
    action: "See these calls",
    needs: "GET /api/tenant/calls",
  }),
};

export const noticeWords = (notice: TenantNotice): Words => words[notice.kind](notice);

/** For those who may not mend it themselves. */
export const askAdministrator = "Ask an administrator of your organization.";
