import type { Language } from "@vitaline/contract";
import { dialableNumber } from "@vitaline/messages";
import { callLine, connectingWith, standardPhrasing, type ToolAnswer } from "@vitaline/tools";
import * as z from "zod/mini";
import { summaryForStaff } from "../being-put-through.ts";
import type { TransferRequest } from "../voice-platform.ts";

const Routed = z.object({ destinations: z.array(z.object({ label: z.string(), phone: z.string() })), noted: z.optional(z.boolean()) });

/**
 * Staff hear who is calling once they have said hello, then the caller is connected. Source: Vapi server SDK 2.0.1 TransferPlan,
 * SummaryPlan.
 */
const transferPlan = {
  mode: "warm-transfer-wait-for-operator-to-speak-first-and-then-say-summary",
  summaryPlan: {
    enabled: true,
    messages: [
      { role: "system", content: `${summaryForStaff} Return nothing else.` },
      { role: "user", content: "Here is the transcript:\n\n{{transcript}}" },
    ],
    timeoutSeconds: 5,
  },
};

/** The first destination on duty that was not tried yet, else the sentence for the assistant to say. */
export function encodeTransfer({ output, speech }: ToolAnswer, { tried }: Pick<TransferRequest, "tried">, language: Language): object {
  const { destinations, noted: isNoted } = z.safeParse(Routed, output).data ?? { destinations: [] };
  const triedNumbers = tried.map(dialableNumber);
  const next = destinations.find(({ phone }) => !triedNumbers.includes(dialableNumber(phone)));
  if (!next && destinations.length > 0) return { error: callLine(isNoted ? "notPutThroughNoted" : "notPutThrough", language) };
  if (!next) return { error: speech || callLine("noTransfer", language) };
  const number = dialableNumber(next.phone);
  return {
    destination: {
      type: "number",
      number,
      // Vapi refuses internal extensions unless this check is off.
      ...(/^\+[1-9]\d{6,14}$/.test(number) ? {} : { numberE164CheckEnabled: false }),
      message: connectingWith(next.label, standardPhrasing(language)),
      transferPlan,
    },
  };
}
