import { beforeAll, expect, test } from "vitest";
import { inside, ofType, statementsOf, synthesized, type Properties, type Synthesized, type Template } from "../test.fixture.ts";

let it: Synthesized;
let account: Template;
beforeAll(() => {
  it = synthesized("production", { accountBaseline: true });
  if (!it.account) throw new Error("There is no account stack.");
  account = it.account;
}, 120_000);

const one = (type: string): Properties => {
  const [found, ...others] = ofType(account, type).map(([, properties]) => properties);
  if (!found || others.length > 0) throw new Error(`The stack has not one ${type}.`);
  return found;
};
const text = (value: unknown): string => JSON.stringify(value);

test("A10: only a stage that asks for it has the account stack, which answers all rules of the packs", () => {
  expect(it.findings.unanswered).toEqual([]);
  expect(synthesized("demo").account).toBeUndefined();
  const mine = it.acknowledgements.filter(({ path }) => path.startsWith("vitaline-production-account"));
  const stale = mine.filter(
    (given) => !it.findings.all.some((finding) => finding.rule === given.id && `${finding.path}/`.startsWith(`${given.path}/`)),
  );
  expect([mine.length > 2, stale]).toEqual([true, []]);
});

test("A10: CloudTrail records all management events, and access to rows, files and archive by all but the stage's functions", () => {
  const trail = one("AWS::CloudTrail::Trail");
  expect(trail).toMatchObject({ IsLogging: true, IsMultiRegionTrail: true, EnableLogFileValidation: true, KMSKeyId: expect.anything() });
  const [management, rows, files] = trail["AdvancedEventSelectors"] as { FieldSelectors: Properties[] }[];
  expect(management?.FieldSelectors).toEqual([{ Field: "eventCategory", Equals: ["Management"] }]);
  for (const selector of [rows, files])
    expect(selector?.FieldSelectors.at(-1)).toEqual({
      Field: "userIdentity.arn",
      NotStartsWith: ["arn:aws:sts::111122223333:assumed-role/vitaline-production-"],
    });
  expect(text(rows)).toMatch(/AWS::DynamoDB::Table.*Table\w+Arn/);
  expect(text(files)).toMatch(/AWS::S3::Object.*Files\w+Arn.*Archive\w+Arn/);
  // The roles of functions have no names of their own, so AWS begins them with the stack's.
  for (const name of ["api", "events"] as const)
    for (const [, role] of ofType(it.templates[name], "AWS::IAM::Role")) expect(role["RoleName"]).toBeUndefined();
});

test("A10: CloudTrail alone, and only for this trail, may deliver into the bucket and use its key", () => {
  const statements = statementsOf(one("AWS::S3::BucketPolicy")["PolicyDocument"]).filter(({ Effect }) => Effect === "Allow");
  const key = statementsOf(one("AWS::KMS::Key")["KeyPolicy"]).filter((statement) => text(statement).includes("cloudtrail"));
  expect(statements.map(({ Action }) => Action)).toEqual([["s3:GetBucketAcl"], ["s3:PutObject"]]);
  for (const { Condition } of [...statements, ...key])
    expect(text(Condition)).toContain("arn:aws:cloudtrail:us-east-1:111122223333:trail/vitaline-production");
  expect(text(one("AWS::KMS::Key")["Tags"])).toContain("vitaline:use");
  const [rule] = inside<Properties[]>(one("AWS::S3::Bucket"), "LifecycleConfiguration", "Rules");
  expect(Number(rule?.["ExpirationInDays"])).toBeGreaterThanOrEqual(6 * 365);
});

test("A10: Config records every resource, GuardDuty and Security Hub are on, and the budget writes to the operator", () => {
  expect(one("AWS::Config::ConfigurationRecorder")).toMatchObject({
    RecordingGroup: { AllSupported: true, IncludeGlobalResourceTypes: true },
  });
  expect(one("AWS::Config::DeliveryChannel")).toMatchObject({ S3BucketName: expect.anything() });
  expect(one("AWS::GuardDuty::Detector")).toMatchObject({ Enable: true });
  expect(one("AWS::SecurityHub::Hub")).toMatchObject({ EnableDefaultStandards: true });
  const budget = one("AWS::Budgets::Budget");
  expect(budget["Budget"]).toMatchObject({ BudgetLimit: { Amount: it.settings.monthlyCost, Unit: "USD" }, TimeUnit: "MONTHLY" });
  expect(text(budget["NotificationsWithSubscribers"])).toContain("oncall@example.org");
});

test("A10: a KMS key that is disabled or scheduled for deletion starts an alarm within minutes", () => {
  const filter = one("AWS::Logs::MetricFilter");
  const [{ MetricNamespace, MetricName } = {}] = filter["MetricTransformations"] as Properties[];
  for (const event of ["ScheduleKeyDeletion", "DisableKey"]) expect(filter["FilterPattern"]).toContain(`"${event}"`);
  expect(one("AWS::CloudWatch::Alarm")).toMatchObject({ Namespace: MetricNamespace, MetricName, Period: 300, Threshold: 1 });
  expect(text(one("AWS::CloudWatch::Alarm")["AlarmActions"])).toMatch(/Alarms/);
});
