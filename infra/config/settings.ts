import * as z from "zod/mini";
import type { StackProps } from "aws-cdk-lib";
import { reservations, usualQuota } from "./concurrency.ts";
import { type FunctionName, functionNames } from "./functions.ts";

/** AWS never issues this account, so the local stage cannot be deployed. */
const LOCAL_ACCOUNT = "000000000000";
/** CloudFront requires its certificate and its WAF in this region. */
const REGION = "us-east-1";
const SCHEDULING_HOSTS = ["cal.com", "app.cal.com", "calendly.com"];

const Origin = z
  .string()
  .check(z.refine((text) => URL.canParse(text) && new URL(text).origin === text, "must be an origin such as http://127.0.0.1:9000"));
const LoopbackOrigin = Origin.check(
  z.refine((text) => ["127.0.0.1", "localhost", "[::1]"].includes(new URL(text).hostname), "must be a loopback origin"),
);
const SchedulingUrl = z
  .url({ protocol: /^https$/ })
  .check(z.refine((text) => SCHEDULING_HOSTS.includes(new URL(text).host), `must be a page of ${SCHEDULING_HOSTS.join(", ")}`));

const Account = z.string().check(z.regex(/^\d{12}$/, "must be a 12-digit account"));
const BucketArn = z.string().check(z.regex(/^arn:aws:s3:::[a-z0-9.-]+$/, "must be the ARN of a bucket"));

/**
 * Enough for an office behind one router, and for what a tenant may run: above its tool runs a minute its callers are asked to wait, while
 * the firewall's 403 ends their calls. A run comes with about one other request. WAF's least is ten.
 */
export const usualFirewall = { signInsPerAddress: 300, requestsPerKey: 40_000 };

/** A stage's settings in cdk.json, under `vitaline:stages`. */
const StageSettings = z.strictObject({
  account: z.optional(Account),
  domain: z.optional(z.string().check(z.regex(/^([a-z0-9-]+\.)+[a-z]+$/, "must be a host name"))),
  certificateArn: z.optional(
    z.string().check(z.regex(/^arn:aws:acm:us-east-1:\d{12}:certificate\/[\w-]+$/, "must be a certificate in us-east-1")),
  ),
  hostedZone: z.optional(z.strictObject({ id: z.string(), name: z.string() })),
  alarmEmail: z.optional(z.email()),
  /** Sender of mails; default no-reply@domain. SES must be out of its sandbox. */
  mailFrom: z.optional(z.email()),
  /** The sender's identity was verified outside this stage, such as by another stage of the same zone. */
  mailVerified: z._default(z.boolean(), false),
  /** The day on which AWS's Business Associate Addendum was accepted for the account; only noted. */
  businessAssociateAddendum: z.optional(z.iso.date()),
  /** Phone number, pool or sender id for text messages, registered with carriers for this stage. Without it no texts are sent. */
  smsOrigination: z.optional(
    z
      .string()
      .check(
        z.regex(
          /^arn:aws:sms-voice:us-east-1:\d{12}:(phone-number|pool|sender-id)\/[\w/-]+$/,
          "must be the ARN of a phone number, a pool or a sender of AWS End User Messaging in us-east-1",
        ),
      ),
  ),
  /**
   * The protect configuration that blocks countries for all tenants. Create it in AWS End User Messaging: a new one from
   * CloudFormation would allow every country without a rule.
   */
  smsProtectConfiguration: z.optional(
    z.string().check(z.regex(/^protect-[0-9a-f]+$/, "must be the id of a protect configuration of AWS End User Messaging")),
  ),
  /**
   * A restored table to serve, and its stream, instead of the stack's own table; infra/README.md, Restore. The stack's table stays.
   */
  tableName: z.optional(z.string().check(z.regex(/^[\w.-]{3,255}$/, "must be the name of a table"))),
  tableStreamArn: z.optional(
    z
      .string()
      .check(z.regex(/^arn:aws:dynamodb:us-east-1:\d{12}:table\/[\w.-]+\/stream\/[\w.:-]+$/, "must be the ARN of a table's stream")),
  ),
  /** A backup vault in another region or account that gets a copy of each daily backup. */
  backupCopyVault: z.optional(
    z.string().check(z.regex(/^arn:aws:backup:[a-z0-9-]+:\d{12}:backup-vault:[\w-]+$/, "must be the ARN of a backup vault")),
  ),
  /** Buckets in another region or account, versioned and with a KMS key, that get a copy of each new object. */
  replicas: z.optional(
    z.strictObject({ account: Account, files: BucketArn, archive: BucketArn, keyArn: z.string().check(z.startsWith("arn:aws:kms:")) }),
  ),
  support: z._default(z.strictObject({ email: z.optional(z.email()), phone: z.optional(z.string()) }), {}),
  /** Places left in the introductory promotion; without it there is no promotion. */
  promotionRemaining: z.optional(z.int().check(z.nonnegative())),
  demoSchedulingUrl: z.optional(SchedulingUrl),
  egressLoopbackOrigins: z._default(z.array(LoopbackOrigin), []),
  /** The account's quota of concurrent executions. Default 1,000; in `demo` ten, as in a new account. */
  accountConcurrency: z.optional(z.int().check(z.positive())),
  /** Function name → reserved executions, instead of its share of the quota. */
  reservedConcurrency: z._default(
    z.partialRecord(z.enum(functionNames as [FunctionName, ...FunctionName[]]), z.int().check(z.positive())),
    {},
  ),
  /** US dollars of the account's bill this month that start an alarm. */
  monthlyCost: z._default(z.int().check(z.positive()), 500),
  /**
   * A new version of a function first gets a tenth of the invocations. Default: in stages that keep data, unless they serve a restored
   * table, because versions of before and after such a change write to different tables.
   */
  gradual: z.optional(z.boolean()),
  /** Adds CloudTrail, Config, GuardDuty, Security Hub and a budget for the whole account; for one stage of an account. */
  accountBaseline: z._default(z.boolean(), false),
  throttling: z._default(z.strictObject({ requestsPerSecond: z.int().check(z.positive()), burst: z.int().check(z.positive()) }), {
    requestsPerSecond: 500,
    burst: 1000,
  }),
  /** In five minutes: sign-ins from one address; requests with one key, or for one voice provider from one address. */
  firewall: z._default(
    z.strictObject({
      signInsPerAddress: z._default(z.int().check(z.gte(10)), usualFirewall.signInsPerAddress),
      requestsPerKey: z._default(z.int().check(z.gte(10)), usualFirewall.requestsPerKey),
    }),
    usualFirewall,
  ),
});

export type Settings = z.output<typeof StageSettings> & {
  stage: string;
  gradual: boolean;
  accountConcurrency: number;
  region: string;
  /** How long functions use a secret that they have read; a rotation waits longer. */
  appSecretSeconds: number;
  /** Retains data when the stack is deleted, with deletion protection. */
  keepsData: boolean;
  /** System administrators need a second factor. */
  requiresTotp: boolean;
  /** Object Lock retention of the archive. In compliance mode it cannot be shortened. */
  archive: { mode: "compliance" | "governance"; days: number };
};

const newAccountQuota = 10;
const REQUIRED_IN_PRODUCTION = ["account", "domain", "certificateArn", "hostedZone", "alarmEmail"] as const;

/** Settings from environment variables, for a single run. */
type EnvironmentSettings = { VITALINE_EGRESS?: string; DEMO_SCHEDULING_URL?: string };

/** A stage's settings from cdk.json and the environment. Throws one sentence that names the missing or invalid settings. */
export function settingsFor(stage: string, stages: unknown, environment: EnvironmentSettings = {}): Settings {
  if (!/^[a-z][a-z0-9]{0,19}$/.test(stage)) throw new Error(`The stage "${stage}" must be lower-case letters and digits, at most 20.`);
  if (!["local", "demo", "production", ...Object.keys(parseStages(stages))].includes(stage))
    throw new Error(`The stage "${stage}" is not known: state it in cdk.json under "vitaline:stages".`);
  const stated = parse(stage, { ...parseStages(stages)[stage], ...settingsFromEnvironment(environment) });
  const production = stage === "production";
  if (stage === "local") stated.account = LOCAL_ACCOUNT;
  const mailDomain = stage === "local" ? "vitaline.example" : stated.domain;
  if (mailDomain) stated.mailFrom ??= `no-reply@${mailDomain}`;
  if (stage === "local") stated.smsOrigination ??= `arn:aws:sms-voice:${REGION}:${LOCAL_ACCOUNT}:pool/pool-local`;
  if (stage === "local") stated.alarmEmail ??= `oncall@${mailDomain}`;
  if (stage === "local") stated.support.email ??= `support@${mailDomain}`;
  if (stage !== "local" && stated.account === LOCAL_ACCOUNT)
    throw new Error(`The stage ${stage} cannot have the account of the local stage.`);
  if (stage !== "local" && stated.egressLoopbackOrigins.length > 0)
    throw new Error(`The stage ${stage} may not reach loopback origins: unset VITALINE_EGRESS and egressLoopbackOrigins.`);
  if ((stated.tableName === undefined) !== (stated.tableStreamArn === undefined) || !isStreamOf(stated))
    throw new Error(`The stage ${stage} needs both tableName and tableStreamArn, of the same table, or neither.`);
  const keepsData = stage !== "local" && stage !== "demo";
  const accountConcurrency = stated.accountConcurrency ?? (stage === "demo" ? newAccountQuota : usualQuota);
  requireAll(stage, production ? REQUIRED_IN_PRODUCTION : stated.domain ? ["certificateArn"] : [], stated);
  return {
    ...stated,
    accountConcurrency,
    reservedConcurrency: reservations(accountConcurrency, stated.reservedConcurrency),
    stage,
    region: REGION,
    appSecretSeconds: stage === "local" ? 5 : 300,
    keepsData,
    gradual: stated.gradual ?? (keepsData && stated.tableName === undefined),
    requiresTotp: keepsData,
    archive: production ? { mode: "compliance", days: 7 * 366 } : { mode: "governance", days: 1 },
  };
}

const isStreamOf = ({ tableName, tableStreamArn = "" }: z.output<typeof StageSettings>): boolean =>
  tableName === undefined || tableStreamArn.includes(`:table/${tableName}/stream/`);

const parseStages = (stages: unknown): Record<string, object> => z.safeParse(z.record(z.string(), z.looseObject({})), stages).data ?? {};

const settingsFromEnvironment = ({ VITALINE_EGRESS, DEMO_SCHEDULING_URL }: EnvironmentSettings): object => ({
  ...(VITALINE_EGRESS && { egressLoopbackOrigins: VITALINE_EGRESS.split(",").map((origin) => origin.trim()) }),
  ...(DEMO_SCHEDULING_URL && { demoSchedulingUrl: DEMO_SCHEDULING_URL }),
});

function parse(stage: string, settings: object): z.output<typeof StageSettings> {
  const { data, error } = z.safeParse(StageSettings, settings);
  if (data) return data;
  throw new Error(`Settings of the stage ${stage}: ${error.issues.map((issue) => `${issue.path.join(".")} ${issue.message}`).join("; ")}.`);
}

function requireAll(stage: string, names: readonly (keyof z.output<typeof StageSettings>)[], stated: z.output<typeof StageSettings>): void {
  const missing = names.filter((name) => stated[name] === undefined);
  if (missing.length > 0)
    throw new Error(
      `The stage ${stage} cannot be synthesized without ${missing.join(", ")}: state them in cdk.json under "vitaline:stages".`,
    );
}

type Zone = { id: string; name: string };

/** What SES has to verify for a sender: the zone's domain, which covers its subdomains, or else the single address. */
export const mailIdentity = (mailFrom: string, hostedZone: Zone | undefined): { name: string; zone?: Zone } => {
  const [, domain = ""] = mailFrom.split("@");
  const isInZone = hostedZone && (domain === hostedZone.name || domain.endsWith(`.${hostedZone.name}`));
  return isInZone ? { name: hostedZone.name, zone: hostedZone } : { name: mailFrom };
};

const defaultStage = "demo";

/** The context of cdk.json with the CDK command's additions for this run (`-c stage=production`). */
export const contextWith = (context: Record<string, unknown>, given: string | undefined): Record<string, unknown> => ({
  ...context,
  ...(given ? (JSON.parse(given) as Record<string, unknown>) : {}),
});

export const stageOf = (context: Record<string, unknown>): string =>
  typeof context["stage"] === "string" ? context["stage"] : defaultStage;

/** Without an account in the settings, CDK takes the account of the credentials. */
export const stackProps = ({ account, region, stage }: Settings): StackProps => ({
  env: { account, region },
  tags: { "vitaline:stage": stage },
});
