import type { Settings } from "../config/settings.ts";
import { checkAccount, checkAgreement, checkConcurrency } from "./account.ts";
import { checkAlarms } from "./alarms.ts";
import { type Check, clientsIn } from "./clients.ts";
import { checkCertificate, checkZone } from "./domain.ts";
import { checkMail } from "./mail.ts";
import { checkTexts } from "./texts.ts";

/** What each reads, as the operator knows it. */
const checks: Readonly<Record<string, Check>> = {
  "the agreement": checkAgreement,
  "Lambda's quota": checkConcurrency,
  "the certificate": checkCertificate,
  "the hosted zone": checkZone,
  mail: checkMail,
  "text messages": checkTexts,
  "the alarm subscription": checkAlarms,
};

const refused = /AccessDenied|NotAuthorized|AuthorizationError/;

/** What the account of the credentials lacks for a stage. Changes nothing. */
export async function missingIn(settings: Settings): Promise<string[]> {
  const clients = clientsIn(settings.region);
  // In another account all other answers would mislead.
  const elsewhere = await checkAccount(clients, settings);
  if (elsewhere.length > 0) return elsewhere;
  const sentences = await Promise.all(
    Object.entries(checks).map(async ([what, check]) => {
      try {
        return await check(clients, settings);
      } catch (error) {
        if (!refused.test((error as Error).name)) throw error;
        return [`The credentials may not read ${what}, so it was not checked: use a role with AWS's policy ReadOnlyAccess.`];
      }
    }),
  );
  return sentences.flat();
}
