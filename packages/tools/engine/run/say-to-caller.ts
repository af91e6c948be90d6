import type { Language } from "@vitaline/contract";
import { errorFields } from "@vitaline/core";
import { hoursOf, isOpen } from "@vitaline/offices";
import type { OfficeRow, TenantRow } from "@vitaline/store";
import type { ToolCall, ToolContext } from "../../sdk/context.ts";
import type { OfficeState, Phrasing } from "../../sdk/phrasing.ts";
import { phrasingOf } from "../../speech/phrasing.ts";

type OfCall = { ctx: ToolContext; call: ToolCall; tenant: TenantRow; office: OfficeRow | undefined };

/** Says something as this caller is answered now. */
export type SayToCaller = (say: (phrasing: Phrasing) => string) => Promise<string>;

/** Looks up who is at the office only if the text offers to connect the caller: one read, in a call without a known office. */
export function sayToCallerOf(of: OfCall, language: Language): SayToCaller {
  const now = of.ctx.clock();
  const moment = { language, timeZone: hoursOf(of.tenant, of.office).timezone, now };
  return async (say) => {
    const phrasing = phrasingOf({ ...moment, office: "unknown" });
    const text = say(phrasing);
    const isOffered = text.includes(phrasing.offerOffice) || text.includes(phrasing.handOver);
    return isOffered ? say(phrasingOf({ ...moment, office: await officeStateOf(of, now) })) : text;
  };
}

async function officeStateOf(of: OfCall, now: Date): Promise<OfficeState> {
  try {
    const { staffOfCall } = await import("../../routing/on-duty.ts");
    const { office, destinations } = await staffOfCall(of, { said: "a person", reason: "person" }, of.office);
    if (destinations.length > 0) return "reachable";
    return isOpen(hoursOf(of.tenant, office), now) ? "unstaffed" : "closed";
  } catch (error) {
    of.ctx.log("warn", "tool.office_unknown", { ...errorFields(error), callKey: of.call.callKey });
    return "unknown";
  }
}
