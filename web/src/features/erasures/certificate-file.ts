import type { ErasureCertificate } from "@vitaline/contract";

export const howToVerify =
  "The certificate is a signed JWT (RS256); what it says is in its second part. The operator checks it with npm run audit:verify, which compares it with the platform's own key and the audit log.";

export const fileName = (erasureId: string): string => `erasure-certificate-${erasureId}.json`;

/** What one keeps: the certificate, the key that it is checked with, and how. */
export const certificateFile = ({ jws, key }: ErasureCertificate): string => `${JSON.stringify({ jws, key, howToVerify }, null, 2)}\n`;
