import { CannotCall } from "./demo-file.ts";
import type { Account, Connection } from "./phone-call.ts";

/** Throws CannotCall when the options do not name it. */
export function accountOf({ account }: Connection, platform: string): Account {
  if (!account)
    throw new CannotCall(
      `${platform} signs its requests: add --address and --secret, the webhook address and secret of the tenant's voice provider.`,
    );
  return account;
}
