import { isLoopbackAddress } from "./addresses.ts";

/** AWS never issues this account; only the local stage is made for it. */
const localAccount = "000000000000";
const arnPattern = /^arn:aws[a-z-]*:lambda:[a-z0-9-]+:(\d{12}):function:/;

let invokedLocally = false;

/**
 * Tells the guard which function is running, at the start of every invocation: `context.invokedFunctionArn`.
 * Lambda supplies it and configuration cannot, so EGRESS_LOOPBACK_ORIGINS means nothing in a real account.
 */
export function allowLoopback(invokedFunctionArn: string): void {
  invokedLocally = arnPattern.exec(invokedFunctionArn)?.[1] === localAccount;
}

/** Whether this exact origin of our own machine was opened: EGRESS_LOOPBACK_ORIGINS, comma separated. */
export function isOpenedLoopback(origin: string): boolean {
  if (!invokedLocally) return false;
  const opened = (process.env.EGRESS_LOOPBACK_ORIGINS ?? "").split(",").map((entry) => entry.trim());
  return opened.includes(origin) && isLoopbackHost(new URL(origin).hostname);
}

const isLoopbackHost = (hostname: string) => hostname === "localhost" || isLoopbackAddress(hostname.replace(/^\[|\]$/g, ""));
