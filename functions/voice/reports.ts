import { requireOffice } from "@vitaline/calls";
import type { CallReport, FlatCallSummary, VapiMessage } from "@vitaline/contract";
import { AppError } from "@vitaline/core";
import type { TenantContext } from "@vitaline/store";
import { takeOrKeep } from "../lib/take-or-keep.ts";

const noReport = () =>
  new AppError("invalid_request", "This address takes a call's end report that says which call it is about.", {
    fields: { "message.call.id": "Is required" },
  });

/** Vapi's end-of-call-report, or a call's summary written by another automation. */
export async function takeSummary(ctx: TenantContext, body: VapiMessage | FlatCallSummary): Promise<{ received: true }> {
  if (!(await takeOrKeep(ctx, "message" in body ? "vapi" : "summary", body))) throw noReport();
  return { received: true };
}

/** A call as its own client tells it. AppError `not_found` for an office that is none of the tenant's. */
export async function takeReport(ctx: TenantContext, body: CallReport): Promise<{ received: true; at: string }> {
  await requireOffice(ctx, body.officeId ?? undefined);
  await takeOrKeep(ctx, "report", body);
  return { received: true, at: ctx.clock().toISOString() };
}
