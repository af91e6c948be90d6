import type { ErasureCertificate } from "@vitaline/contract";

export const howToVerify =
  "The certificate is a signed JWT. Check its RS256 signature with the public key beside it; any JWT library does. What it says is in its second part.";

export const fileName = (erasureId: string): string => `erasure-certificate-${erasureId}.json`;

/** What one keeps: the certificate, the key that it is checked with, and how. */
export const certificateFile = ({ jws, key }: ErasureCertificate): string => `${JSON.stringify({ jws, key, howToVerify }, null, 2)}\n`;
