import { AppError, type ErrorCode } from "@vitaline/core";

type OutboundCode = Extract<ErrorCode, `outbound_${string}`>;

const messages: Record<OutboundCode, string> = {
  outbound_refused: "This address may not be called.",
  outbound_timeout: "The other system did not answer in time.",
  outbound_unreachable: "The other system could not be reached.",
  outbound_too_large: "The other system's answer was too large.",
  outbound_redirect: "The other system answered with a redirect, which is not followed.",
};

/** A call without a response. `sent`: the other system may have received the request. */
export class OutboundError extends AppError {
  readonly sent: boolean;

  constructor(code: OutboundCode, { sent = false, cause }: { sent?: boolean; cause?: unknown } = {}) {
    super(code, messages[code], { cause });
    this.name = "OutboundError";
    this.sent = sent;
  }
}
