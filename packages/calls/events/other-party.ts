import { keyedHash, keyedHashes } from "@vitaline/core";

const usLength = 10;
const shortestNumber = 7;
const hashLength = 22;
const shownDigits = 4;

/** "sip:+16175550101@example.com" names its host after the number. */
const digitsOf = (number: string): string => {
  const [user = ""] = number.replace(/^\w+:/, "").split(/[@;]/);
  const digits = user.replaceAll(/\D/g, "");
  return digits.length === usLength && !user.trim().startsWith("+") ? `1${digits}` : digits;
};

const partsOf = (tenantId: string, digits: string) => [tenantId, digits] as const;

type Numbers = {
  direction?: "inbound" | "outbound" | undefined;
  callerNumber?: string | undefined;
  calledNumber?: string | undefined;
};

/** The number that is not the clinic's, as the row keeps it: a keyed hash to find it by, and its last digits to show. */
export function otherPartyOf(
  tenantId: string,
  { direction, callerNumber, calledNumber }: Numbers,
): { numberHash: string; numberEnding: string } | undefined {
  const digits = digitsOf((direction === "outbound" ? calledNumber : callerNumber) ?? "");
  if (digits.length < shortestNumber) return undefined;
  return {
    numberHash: keyedHash("call-number", partsOf(tenantId, digits)).slice(0, hashLength),
    numberEnding: digits.slice(-shownDigits),
  };
}

/** The hashes that a typed number may have been stored under: after a rotation, also those of the former secrets. */
export const numberHashes = (tenantId: string, typed: string): string[] =>
  keyedHashes("call-number", partsOf(tenantId, digitsOf(typed))).map((hash) => hash.slice(0, hashLength));
