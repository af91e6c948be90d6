import { AwsError } from "../../http/respond.ts";
import type { Item } from "../../types.ts";

export type CancellationReason = { Code: string; Message?: string; Item?: Item };

export const NONE: CancellationReason = { Code: "None" };

export function cancelled(reasons: CancellationReason[]): AwsError {
  const codes = reasons.map((reason) => reason.Code).join(", ");
  const message = `Transaction cancelled, please refer cancellation reasons for specific reasons [${codes}]`;
  return new AwsError(400, "TransactionCanceledException", message, { CancellationReasons: reasons });
}
