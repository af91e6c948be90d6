export type Certificate = { arn: string; names: string[]; status: "ISSUED" | "PENDING_VALIDATION" | "EXPIRED" | "FAILED" | "REVOKED" };
export type HostedZone = { id: string; name: string; isPrivate?: boolean; records: { name: string; type: string; values: string[] }[] };
export type MailIdentity = {
  name: string;
  verified: boolean;
  tags: Record<string, string>;
  mailFrom?: { domain: string; status: "PENDING" | "SUCCESS" | "FAILED" | "TEMPORARY_FAILURE" };
};
export type Origination = {
  arn: string;
  status: "PENDING" | "ACTIVE" | "ASSOCIATING" | "DISASSOCIATING" | "DELETED";
  numberType?: "SHORT_CODE" | "LONG_CODE" | "TOLL_FREE" | "TEN_DLC" | "SIMULATOR";
  messageType: "TRANSACTIONAL" | "PROMOTIONAL";
  registrationId?: string;
};
export type Subscription = { topicArn: string; endpoint: string; confirmed: boolean };

/** What an operator arranges in an account beside the stacks. Functions do not meet it here: they may send at once. */
export type AccountState = {
  lambdaConcurrency: number;
  certificates: Certificate[];
  hostedZones: HostedZone[];
  mail: { hasProductionAccess: boolean; isPaused: boolean; identities: MailIdentity[] };
  texts: { tier: "SANDBOX" | "PRODUCTION"; monthlyLimit: number; originations: Origination[]; protectConfigurations: string[] };
  topics: string[];
  subscriptions: Subscription[];
};

/** As AWS opens it. Sources: "Lambda quotas", "Request production access" of SES, "SMS sandbox" of AWS End User Messaging. */
export const newAccount = (): AccountState => ({
  lambdaConcurrency: 10,
  certificates: [],
  hostedZones: [],
  mail: { hasProductionAccess: false, isPaused: false, identities: [] },
  texts: { tier: "SANDBOX", monthlyLimit: 1, originations: [], protectConfigurations: [] },
  topics: [],
  subscriptions: [],
});
