import { receiptOf } from "@vitaline/aws";
import { eventContext } from "../../lib/context.ts";
import type { Invocation } from "../../lib/event.ts";
import { keepReceipt } from "./keep-receipt.ts";
import { textsIn } from "./topic-event.ts";

/** For each word of SES and of AWS End User Messaging about a mail or text: notes it with its message, which may be any tenant's. */
export const handler = async (event: unknown, invocation: Invocation): Promise<void> => {
  const ctx = eventContext(invocation, "receipts");
  const receipts = textsIn(event).map(receiptOf);
  for (const receipt of receipts) if (receipt) await keepReceipt(ctx, receipt);
  const others = receipts.filter((receipt) => !receipt).length;
  if (others > 0) ctx.log("info", "not a message's receipt", { count: others });
};
