import * as z from "zod/mini";
import { done, endWithoutResult, greet, notDone, type Script } from "./steps.ts";

const Routed = z.object({ destinations: z.array(z.object({ phone: z.string() })), noted: z.boolean() });

/** A callback is promised only once the caller is on the clinic's list. */
export const afterHours: Script = async (talk) => {
  greet(talk, "I'd like to speak to a person, please.");
  const reason = "wants to speak with a person";
  const asked = await talk.useTool("logRoutingEvent", { reason, outcome: "transferred" });
  const routed = z.safeParse(Routed, asked.found).data;
  const [desk] = routed?.destinations ?? [];
  if (desk) {
    await talk.transfer(desk.phone);
    return notDone("Someone was on duty, and the caller was connected.");
  }
  if (!routed || routed.noted || !asked.speech.endsWith("?")) return notDone("A callback was promised before the caller left a number.");
  talk.caller("Robin Newcome, 617 555 0168.");
  const told = { callerName: "Robin Newcome", callbackNumber: "617 555 0168", leadReason: "other", note: "Wants to speak with a person." };
  const { ok, found } = await talk.useTool("logRoutingEvent", { reason, outcome: "callback", ...told });
  if (!ok || !z.safeParse(Routed, found).data?.noted) return endWithoutResult(talk);
  talk.caller("Thank you. Goodbye.");
  return done("No one was on duty; the caller is on the clinic's list of people to call back.");
};
