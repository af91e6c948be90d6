import {
  DescribeAccountAttributesCommand,
  DescribePhoneNumbersCommand,
  DescribePoolsCommand,
  DescribeProtectConfigurationsCommand,
  DescribeSenderIdsCommand,
  DescribeSpendLimitsCommand,
} from "@aws-sdk/client-pinpoint-sms-voice-v2";
import { type Check, type Clients, found } from "./clients.ts";

/** In US dollars a month, as new accounts have it. */
const firstSpendLimit = 1;

export const checkTexts: Check = async ({ texts }, { smsOrigination, smsProtectConfiguration }) => {
  if (smsOrigination === undefined) return [];
  const { AccountAttributes = [] } = await texts.send(new DescribeAccountAttributesCommand());
  const { SpendLimits = [] } = await texts.send(new DescribeSpendLimitsCommand());
  const limit = SpendLimits.find(({ Name }) => Name === "TEXT_MESSAGE_MONTHLY_SPEND_LIMIT")?.EnforcedLimit ?? 0;
  return [
    ...(AccountAttributes.some(({ Name, Value }) => Name === "ACCOUNT_TIER" && Value === "SANDBOX")
      ? ["AWS End User Messaging is in its sandbox and texts verified numbers alone: request production access in its console."]
      : []),
    ...(limit > firstSpendLimit
      ? []
      : [
          `Texts stop after ${limit} US dollars a month: raise the spend limit in AWS End User Messaging; above its maximum, by a case in the Support Center.`,
        ]),
    ...(await originFlaws(texts, smsOrigination)),
    ...(smsProtectConfiguration === undefined ? [] : await protectFlaws(texts, smsProtectConfiguration)),
  ];
};

async function originFlaws(texts: Clients["texts"], arn: string): Promise<string[]> {
  const [kind = "", id = ""] = arn.split(":").at(-1)?.split("/") ?? [];
  const origin = await found(originOf(texts, kind, arn, id));
  if (!origin) return [`The origination ${arn} does not exist: request a number in AWS End User Messaging and set smsOrigination.`];
  const { status, type, messageType, registrationId } = origin;
  return [
    ...(type !== undefined && ["TEN_DLC", "TOLL_FREE"].includes(type) && registrationId === undefined
      ? [
          `The number ${id} has no registration, and carriers block texts of unregistered numbers: register it (10DLC or toll-free) in AWS End User Messaging.`,
        ]
      : []),
    ...(status === undefined || status === "ACTIVE"
      ? []
      : [`The origination ${id} is ${status.toLowerCase()}, not active: see its registration in AWS End User Messaging.`]),
    ...(messageType === undefined || messageType === "TRANSACTIONAL"
      ? []
      : [`The origination ${id} is for promotions, and codes and reminders are transactional: request another and set smsOrigination.`]),
  ];
}

type Origin = { status?: string; type?: string; messageType?: string; registrationId?: string };

async function originOf(texts: Clients["texts"], kind: string, arn: string, id: string): Promise<Origin | undefined> {
  if (kind === "phone-number") {
    const { PhoneNumbers: [one] = [] } = await texts.send(new DescribePhoneNumbersCommand({ PhoneNumberIds: [id] }));
    return one && { status: one.Status, type: one.NumberType, messageType: one.MessageType, registrationId: one.RegistrationId };
  }
  if (kind === "pool") {
    const { Pools: [one] = [] } = await texts.send(new DescribePoolsCommand({ PoolIds: [id] }));
    return one && { status: one.Status, messageType: one.MessageType };
  }
  const { SenderIds = [] } = await texts.send(new DescribeSenderIdsCommand({}));
  return SenderIds.some(({ SenderIdArn }) => SenderIdArn === arn) ? {} : undefined;
}

async function protectFlaws(texts: Clients["texts"], id: string): Promise<string[]> {
  const { ProtectConfigurations = [] } =
    (await found(texts.send(new DescribeProtectConfigurationsCommand({ ProtectConfigurationIds: [id] })))) ?? {};
  return ProtectConfigurations.length > 0
    ? []
    : [`The protect configuration ${id} does not exist: create it in AWS End User Messaging and set smsProtectConfiguration.`];
}
