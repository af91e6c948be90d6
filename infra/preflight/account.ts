import { GetAccountSettingsCommand } from "@aws-sdk/client-lambda";
import { GetCallerIdentityCommand } from "@aws-sdk/client-sts";
import type { Check } from "./clients.ts";

export const checkAccount: Check = async ({ sts }, { stage, account }) => {
  const { Account } = await sts.send(new GetCallerIdentityCommand());
  return account === undefined || Account === account
    ? []
    : [`The credentials belong to the account ${Account}, and the stage ${stage} to ${account}: use credentials of that account.`];
};

/** The agreement is made in the console; that it was made is noted in the settings. */
export const checkAgreement: Check = async (_clients, { keepsData, businessAssociateAddendum }) =>
  keepsData && businessAssociateAddendum === undefined
    ? [
        "No Business Associate Addendum with AWS is noted: accept it for this account in AWS Artifact, Agreements, then set businessAssociateAddendum to the date.",
      ]
    : [];

export const checkConcurrency: Check = async ({ lambda }, { accountConcurrency }) => {
  const { AccountLimit } = await lambda.send(new GetAccountSettingsCommand());
  const quota = AccountLimit?.ConcurrentExecutions ?? 0;
  return quota < accountConcurrency
    ? [
        `Lambda runs at most ${quota} functions at once in this account, and the stage counts on ${accountConcurrency}: request the quota "Concurrent executions" (L-B99A9384) in Service Quotas, or set accountConcurrency to ${quota}.`,
      ]
    : [];
};
