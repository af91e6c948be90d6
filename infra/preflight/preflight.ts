import type { Settings } from "../config/settings.ts";
import { type Check, clientsIn } from "./clients.ts";
import { checkCertificate, checkZone } from "./domain.ts";
import { checkMail } from "./mail.ts";
import { checkTexts } from "./texts.ts";
import { GetAccountSettingsCommand } from "@aws-sdk/client-lambda";
import { GetCallerIdentityCommand } from "@aws-sdk/client-sts";
import { ListSubscriptionsByTopicCommand, paginateListTopics, type SNSClient } from "@aws-sdk/client-sns";

/** The first deployment creates topic and subscription; SNS removes a subscription that is not confirmed for two days. */
const checkAlarms: Check = async ({ sns }, { stage, alarmEmail }) => {
  const topic = await topicOf(sns, `vitaline-${stage}-data-Alarms`);
  if (topic === undefined || alarmEmail === undefined) return [];
  const { Subscriptions = [] } = await sns.send(new ListSubscriptionsByTopicCommand({ TopicArn: topic }));
  const own = Subscriptions.filter(({ Protocol, Endpoint }) => Protocol === "email" && Endpoint === alarmEmail);
  if (own.some(({ SubscriptionArn = "" }) => SubscriptionArn.startsWith("arn:"))) return [];
  return [
    own.length > 0
      ? `Alarms do not reach ${alarmEmail}: open the link in the mail that AWS sent to it.`
      : `Alarms do not reach ${alarmEmail}, whose subscription was never confirmed or was ended: subscribe it to the topic ${topic} and open the link in its mail.`,
  ];
};

async function topicOf(sns: SNSClient, name: string): Promise<string | undefined> {
  for await (const { Topics = [] } of paginateListTopics({ client: sns }, {}))
    for (const { TopicArn } of Topics) if (TopicArn?.split(":").at(-1)?.startsWith(name)) return TopicArn;
  return undefined;
}

const checkAccount: Check = async ({ sts }, { stage, account }) => {
  const { Account } = await sts.send(new GetCallerIdentityCommand());
  return account === undefined || Account === account
    ? []
    : [`The credentials belong to the account ${Account}, and the stage ${stage} to ${account}: use credentials of that account.`];
};

/** The agreement is made in the console; that it was made is noted in the settings. */
const checkAgreement: Check = async (_clients, { keepsData, businessAssociateAddendum }) =>
  keepsData && businessAssociateAddendum === undefined
    ? [
        "No Business Associate Addendum with AWS is noted: accept it for this account in AWS Artifact, Agreements, then set businessAssociateAddendum to the date.",
      ]
    : [];

const checkConcurrency: Check = async ({ lambda }, { accountConcurrency }) => {
  const { AccountLimit } = await lambda.send(new GetAccountSettingsCommand());
  const quota = AccountLimit?.ConcurrentExecutions ?? 0;
  return quota < accountConcurrency
    ? [
        `Lambda runs at most ${quota} functions at once in this account, and the stage counts on ${accountConcurrency}: request the quota "Concurrent executions" (L-B99A9384) in Service Quotas, or set accountConcurrency to ${quota}.`,
      ]
    : [];
};

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
