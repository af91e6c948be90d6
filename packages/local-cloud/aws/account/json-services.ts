import { authorize, type Caller } from "../iam/authorize.ts";
import { AwsError, jsonAnswer } from "../http/respond.ts";
import { readJson, text } from "../http/request.ts";
import type { Answer } from "../types.ts";
import type { AccountState } from "./state.ts";

export type AskedOfAccount = { caller: Caller; operation: string; url: URL; body: Buffer };

/** ACM. Source: "DescribeCertificate" in the ACM API reference. */
export function serveAcm({ certificates }: AccountState, { caller, operation, body }: AskedOfAccount): Answer {
  if (operation !== "DescribeCertificate") throw unknown();
  const CertificateArn = text(readJson(body), "CertificateArn");
  authorize(caller, { action: "acm:DescribeCertificate", resource: CertificateArn });
  const found = certificates.find(({ arn }) => arn === CertificateArn);
  if (!found) throw new AwsError(400, "ResourceNotFoundException", `Could not find certificate ${CertificateArn}.`);
  const [DomainName] = found.names;
  return jsonAnswer("acm", { Certificate: { CertificateArn, DomainName, SubjectAlternativeNames: found.names, Status: found.status } });
}

/** Lambda's account. Source: "GetAccountSettings" in the Lambda API reference. */
export function serveLambdaAccount({ lambdaConcurrency }: AccountState, { caller }: AskedOfAccount): Answer {
  authorize(caller, { action: "lambda:GetAccountSettings", resource: "*" }, "AccessDeniedException", 403);
  return jsonAnswer("lambda", {
    AccountLimit: { ConcurrentExecutions: lambdaConcurrency, UnreservedConcurrentExecutions: lambdaConcurrency },
    AccountUsage: { FunctionCount: 0, TotalCodeSize: 0 },
  });
}

/** Source: "GetAccount" and "GetEmailIdentity" in the SES API v2 reference. */
export function serveMailAccount({ mail }: AccountState, { caller, operation, url }: AskedOfAccount): Answer {
  if (operation === "GetAccount") {
    authorize(caller, { action: "ses:GetAccount", resource: "*" }, "AccessDeniedException", 403);
    return jsonAnswer("ses", {
      ProductionAccessEnabled: mail.hasProductionAccess,
      SendingEnabled: !mail.isPaused,
      EnforcementStatus: mail.isPaused ? "SHUTDOWN" : "HEALTHY",
    });
  }
  const name = decodeURIComponent(url.pathname.split("/").at(-1) ?? "");
  const resource = `arn:aws:ses:${caller.region}:${caller.account}:identity/${name}`;
  authorize(caller, { action: "ses:GetEmailIdentity", resource }, "AccessDeniedException", 403);
  const found = mail.identities.find((one) => one.name === name);
  if (!found) throw new AwsError(404, "NotFoundException", `Email identity ${name} does not exist.`);
  return jsonAnswer("ses", {
    IdentityType: name.includes("@") ? "EMAIL_ADDRESS" : "DOMAIN",
    VerifiedForSendingStatus: found.verified,
    VerificationStatus: found.verified ? "SUCCESS" : "PENDING",
    ...(found.mailFrom && {
      MailFromAttributes: {
        MailFromDomain: found.mailFrom.domain,
        MailFromDomainStatus: found.mailFrom.status,
        BehaviorOnMxFailure: "USE_DEFAULT_VALUE",
      },
    }),
    Tags: Object.entries(found.tags).map(([Key, Value]) => ({ Key, Value })),
  });
}

/** Source: "Describe…" in the AWS End User Messaging SMS and voice v2 API reference. */
export function serveTextsAccount({ texts }: AccountState, { caller, operation, body }: AskedOfAccount): Answer {
  const describe = textsDescriptions[operation];
  if (!describe) throw unknown();
  authorize(caller, { action: `sms-voice:${operation}`, resource: "*" });
  return jsonAnswer("sms-voice", describe(texts, readJson(body)));
}

type Texts = AccountState["texts"];

const originations = (texts: Texts, kind: string, ids: unknown) => {
  const idOf = ({ arn }: Texts["originations"][number]): string => arn.split("/").slice(1).join("/");
  const all = texts.originations.filter(({ arn }) => arn.includes(`:${kind}/`));
  const wanted = (ids ?? []) as string[];
  const missing = wanted.find((id) => !all.some((one) => idOf(one) === id));
  if (missing !== undefined) throw notFound(kind, missing);
  return all.filter((one) => wanted.length === 0 || wanted.includes(idOf(one))).map((one) => ({ ...one, id: idOf(one) }));
};

const textsDescriptions: Record<string, (texts: Texts, asked: Record<string, unknown>) => object> = {
  DescribeAccountAttributes: ({ tier }) => ({ AccountAttributes: [{ Name: "ACCOUNT_TIER", Value: tier }] }),
  DescribeSpendLimits: ({ monthlyLimit }) => ({
    SpendLimits: [{ Name: "TEXT_MESSAGE_MONTHLY_SPEND_LIMIT", EnforcedLimit: monthlyLimit, MaxLimit: monthlyLimit, Overridden: false }],
  }),
  DescribePhoneNumbers: (texts, { PhoneNumberIds }) => ({
    PhoneNumbers: originations(texts, "phone-number", PhoneNumberIds).map((one) => ({
      PhoneNumberArn: one.arn,
      PhoneNumberId: one.id,
      Status: one.status,
      NumberType: one.numberType,
      MessageType: one.messageType,
      RegistrationId: one.registrationId,
    })),
  }),
  DescribePools: (texts, { PoolIds }) => ({
    Pools: originations(texts, "pool", PoolIds).map((one) => ({
      PoolArn: one.arn,
      PoolId: one.id,
      Status: one.status,
      MessageType: one.messageType,
    })),
  }),
  DescribeSenderIds: (texts) => ({
    SenderIds: originations(texts, "sender-id", []).map(({ arn, id }) => ({ SenderIdArn: arn, SenderId: id.split("/")[0] })),
  }),
  DescribeProtectConfigurations(texts, { ProtectConfigurationIds: ids }) {
    const wanted = (ids ?? texts.protectConfigurations) as string[];
    const missing = wanted.find((id) => !texts.protectConfigurations.includes(id));
    if (missing !== undefined) throw notFound("protect-configuration", missing);
    return { ProtectConfigurations: wanted.map((id) => ({ ProtectConfigurationId: id })) };
  },
};

const notFound = (kind: string, id: string): AwsError =>
  new AwsError(400, "ResourceNotFoundException", `The ${kind} does not exist.`, { ResourceType: kind, ResourceId: id });

const unknown = (): AwsError => new AwsError(400, "UnknownOperationException", "This operation is not supported here");
