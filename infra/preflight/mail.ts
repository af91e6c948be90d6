import { GetAccountCommand, GetEmailIdentityCommand, type GetEmailIdentityCommandOutput } from "@aws-sdk/client-sesv2";
import { mailIdentity, type Settings } from "../config/settings.ts";
import { type Check, found } from "./clients.ts";

export const checkMail: Check = async ({ ses }, settings) => {
  const { mailFrom, hostedZone } = settings;
  if (mailFrom === undefined)
    return ["There is no sender of mail, so no one can be invited and no password reset: set domain or mailFrom."];
  const { ProductionAccessEnabled, SendingEnabled } = await ses.send(new GetAccountCommand());
  const identity = mailIdentity(mailFrom, hostedZone);
  const known = await found(ses.send(new GetEmailIdentityCommand({ EmailIdentity: identity.name })));
  return [
    ...(ProductionAccessEnabled
      ? []
      : ["SES is in its sandbox and sends to confirmed addresses alone: request production access in the SES console, Account dashboard."]),
    ...(SendingEnabled ? [] : ["AWS has paused sending by SES: answer its case in the Support Center."]),
    ...(known ? identityFlaws(known, identity, settings) : missingIdentity(identity, settings)),
  ];
};

type Identity = ReturnType<typeof mailIdentity>;

/** The deployment creates it. */
const missingIdentity = ({ name }: Identity, { mailVerified }: Settings): string[] =>
  mailVerified ? [`SES knows no identity ${name}, though mailVerified says so: create it, or remove the setting.`] : [];

function identityFlaws(known: GetEmailIdentityCommandOutput, { name, zone }: Identity, { stage, mailVerified }: Settings): string[] {
  const isOurs = known.Tags?.some(({ Key, Value }) => Key === "vitaline:stage" && Value === stage);
  const { MailFromDomain, MailFromDomainStatus } = known.MailFromAttributes ?? {};
  return [
    ...(isOurs || mailVerified
      ? []
      : [
          `The SES identity ${name} exists and is not of this stage, so the deployment would fail: delete it, or set mailVerified to use it.`,
        ]),
    ...(known.VerifiedForSendingStatus
      ? []
      : [
          zone
            ? `SES has not verified ${name} yet: its DKIM records must be in the hosted zone and the zone's name servers at the registrar.`
            : `SES has not verified ${name}: open the link in the mail that AWS sent to it.`,
        ]),
    ...(MailFromDomain !== undefined && MailFromDomainStatus !== "SUCCESS"
      ? [`SES cannot use the MAIL FROM domain ${MailFromDomain}: its MX and TXT records must be in the hosted zone.`]
      : []),
  ];
}
