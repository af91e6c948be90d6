import { readFileSync } from "node:fs";
import path from "node:path";
import { runInNewContext } from "node:vm";
import { allRoutes, backupDays, contract, Problem, retentionDays, routeKey, defaultRetention, type Route } from "@vitaline/contract";
import { newId } from "@vitaline/core";
import { metricLines } from "@vitaline/core/metrics.ts";
import type { App, Stack } from "aws-cdk-lib";
import { Bucket } from "aws-cdk-lib/aws-s3";
import { beforeAll, describe, expect, test } from "vitest";
import { functionNames, sizeOf, type FunctionName } from "../config/functions.ts";
import { needs } from "../needs/index.ts";
import {
  inside,
  ofType,
  repository,
  stackNames,
  stages,
  statementsOf,
  synthesized,
  synthesizeVariant,
  type Properties,
  type Statement,
  type Synthesized,
} from "../test.fixture.ts";

type Ref = { Ref: string };
type GetAtt = { "Fn::GetAtt": [string, string] };

const isPlatforms = ({ auth }: Route): boolean => auth === "key" || auth === "signature";

describe.each(stages)("stage %s", (stage) => {
  let it: Synthesized;
  beforeAll(() => {
    it = synthesized(stage);
  });

  /** Functions of the API and of events. */
  const ofAll = (type: string) => [...ofType(it.templates.api, type), ...ofType(it.templates.events, type)];
  /** Function name → properties. */
  const functions = (): Map<FunctionName, Properties> => {
    const made = ofAll("AWS::Lambda::Function").map(([, properties]) => properties);
    return new Map(
      functionNames.map((name) => [
        name,
        made.find(({ FunctionName }) => FunctionName === `vitaline-${stage}-${name.replace("/", "-")}`) ?? {},
      ]),
    );
  };
  const statementsOfRole = ({ "Fn::GetAtt": [role] }: GetAtt): Statement[] =>
    ofAll("AWS::IAM::ManagedPolicy")
      .filter(([, { Roles }]) => (Roles as Ref[]).some(({ Ref }) => Ref === role))
      .flatMap(([, { PolicyDocument }]) => statementsOf(PolicyDocument));
  /** Of the function's own role. */
  const ownPolicyOf = (name: FunctionName): Statement[] => statementsOfRole(inside<GetAtt>(functions().get(name), "Role"));
  const tenantRoleOf = (name: FunctionName): GetAtt | undefined => environmentOf(name)["TENANT_ROLE_ARN"] as GetAtt | undefined;
  /** Of the role that it assumes for one tenant. */
  const tenantPolicyOf = (name: FunctionName): Statement[] => [tenantRoleOf(name) ?? []].flat().flatMap(statementsOfRole);
  const policyOf = (name: FunctionName): Statement[] => [...ownPolicyOf(name), ...tenantPolicyOf(name)];
  const secretsReadBy = (name: FunctionName): string[] =>
    policyOf(name)
      .filter(({ Action }) => Action.includes("secretsmanager:GetSecretValue"))
      .flatMap(({ Resource }) => Resource.map(text));
  /** By the last part of their names. */
  const alarmsOf = (): [name: string, properties: Properties][] =>
    stackNames.flatMap((name) =>
      ofType(it.templates[name], "AWS::CloudWatch::Alarm").map(([, alarm]): [string, Properties] => {
        const parts = String(alarm["AlarmName"]).split("-");
        return [parts.at(-1) === "Silent" ? parts.slice(-2).join("") : (parts.at(-1) ?? ""), alarm];
      }),
    );
  const environmentOf = (name: FunctionName): Record<string, unknown> =>
    ((functions().get(name)?.["Environment"] ?? {}) as { Variables?: Record<string, unknown> }).Variables ?? {};
  const allStatements = (): Statement[] =>
    stackNames.flatMap((name) =>
      ["AWS::IAM::ManagedPolicy", "AWS::IAM::Policy"].flatMap((type) =>
        ofType(it.templates[name], type).flatMap(([, { PolicyDocument }]) => statementsOf(PolicyDocument)),
      ),
    );
  const granting = (action: string): FunctionName[] =>
    functionNames.filter((name) => policyOf(name).some(({ Action }) => Action.includes(action)));
  const text = (value: unknown): string => JSON.stringify(value);
  /** Functions that authenticate at EHRs with the platform's key or a connection's secret. */
  const reachingEhrs: FunctionName[] = ["fhir", "tools", "voice", "mcp", "events/retry", "events/remind", "events/health"];
  /** Functions that reach a tenant's data only through a session of that tenant. */
  const oneTenant: FunctionName[] = ["tenant", "voice", "mcp", "tools", "agents", "calendar"];

  describe("the packs", () => {
    test("AwsSolutions, HIPAA.Security and Serverless have no unacknowledged findings", () => {
      expect(it.findings.unanswered).toEqual([]);
      expect(it.findings.all.length).toBeGreaterThan(40);
    });

    test("every acknowledgement has its finding and names the control that replaces the rule", () => {
      const packs = it.acknowledgements.filter(({ id }) => /^(AwsSolutions|HIPAA\.Security|Serverless)-/.test(id));
      const stale = packs.filter(
        (given) => !it.findings.all.some((finding) => finding.rule === given.id && `${finding.path}/`.startsWith(`${given.path}/`)),
      );
      expect(stale).toEqual([]);
      expect(packs.filter(({ reason }) => reason.length < 60)).toEqual([]);
    });
  });

  describe("the stacks", () => {
    test("depend on each other in one direction only", () => {
      const dependencies = Object.fromEntries(stackNames.map((name) => [name, it.dependencies[name]?.sort()]));
      expect(dependencies).toEqual({
        data: [],
        api: ["data"],
        routes: ["api", "data"],
        web: ["data", "routes"],
        events: ["api", "data", "web"],
        monitoring: ["data", "events", "routes"],
      });
    });

    test("stay well below CloudFormation's limits", () => {
      for (const name of stackNames) {
        expect(Object.keys(it.templates[name].Resources).length).toBeLessThan(400);
        expect(text(it.templates[name]).length).toBeLessThan(800_000);
      }
    });

    test("have no policy, trust and environment that is larger than IAM and Lambda take", () => {
      /** As long as the longest ARN of the stacks. */
      const reference = "x".repeat(100);
      const pseudo: Record<string, string> = { "AWS::Partition": "aws", "AWS::Region": "us-east-1", "AWS::AccountId": "111122223333" };
      const resolved = (value: unknown): unknown => {
        if (Array.isArray(value)) return value.map(resolved);
        if (typeof value !== "object" || value === null) return value;
        const [[name, inner] = [""]] = Object.entries(value);
        if (name === "Fn::Join") return ((inner as [string, unknown[]])[1].map(resolved) as string[]).join("");
        if (name === "Ref") return pseudo[inner as string] ?? reference;
        if (name.startsWith("Fn::")) return reference;
        return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, resolved(one)]));
      };
      /** Whitespace does not count, and no name has any. */
      const length = (value: unknown): number => text(resolved(value)).length;
      const longer = (type: string, property: string, limit: number): [string, number][] =>
        ofAll(type).flatMap(([id, { [property]: value = {} }]) => (length(value) > limit ? [[id, length(value)]] : []));
      // Source: "IAM and AWS STS quotas", and "Lambda quotas".
      expect([
        ...longer("AWS::IAM::ManagedPolicy", "PolicyDocument", 6144),
        ...longer("AWS::IAM::Role", "AssumeRolePolicyDocument", 2048),
        ...longer("AWS::Lambda::Function", "Environment", 4096),
      ]).toEqual([]);
    });

    test("contain no secrets, only references that AWS resolves", () => {
      expect(text(it.templates).match(/\{\{resolve:/g)).toHaveLength(1);
      const [[, distribution] = []] = ofType(it.templates.web, "AWS::CloudFront::Distribution");
      // With the pinned version that CloudFront sends, which a rotation changes.
      expect(text(distribution)).toMatch(/\{\{resolve:secretsmanager:.*EdgeSecret.*:SecretString:value::",\{"Ref":"EdgeVersion"\},"\}\}/);
      expect(text(it.templates)).not.toMatch(/"SecretString":|BEGIN [A-Z ]*PRIVATE KEY|AKIA[0-9A-Z]{16}|vtl_live_/);
    });

    test("A05: no environment has a secret or a reference to its value; a role reads only the secrets of its needs", () => {
      for (const name of functionNames) {
        const environment = environmentOf(name);
        expect([name, text(environment).includes("resolve:")]).toEqual([name, false]);
        const read = secretsReadBy(name).filter((resource) => !resource.includes("/fhir/"));
        const listed = Object.entries(environment).flatMap(([variable, value]) => (variable.endsWith("_SECRET_ARN") ? [text(value)] : []));
        expect([name, read.sort()]).toEqual([name, listed.sort()]);
        const named = Object.keys(environment).filter((variable) => /SECRET|TOKEN|PASSWORD|PEPPER/.test(variable));
        expect([
          name,
          named.filter((variable) => !/^([A-Z]+_SECRET_ARN|APP_SECRET_SECONDS|(FHIR|TENANT)_SECRET_PREFIX)$/.test(variable)),
        ]).toEqual([name, []]);
      }
      const cursors = Object.entries(contract).flatMap(([group, routes]) =>
        Object.values<Route>(routes).some(({ query }) => query !== undefined && "shape" in query && "cursor" in (query.shape as object))
          ? [group]
          : [],
      );
      expect(functionNames.filter((name) => environmentOf(name)["CURSORS_SECRET_ARN"])).toEqual(
        functionNames.filter((name) => cursors.includes(name)),
      );
      expect(functionNames.filter((name) => environmentOf(name)["TOKENS_SECRET_ARN"])).toEqual(["tools", "voice", "mcp"]);
    });
  });

  describe("the data", () => {
    test("the table is encrypted under its own key, streams both images, expires rows and can be restored to any second of 35 days", () => {
      const [[, table] = []] = ofType(it.templates.data, "AWS::DynamoDB::GlobalTable");
      expect(table).toMatchObject({
        BillingMode: "PAY_PER_REQUEST",
        KeySchema: [
          { AttributeName: "pk", KeyType: "HASH" },
          { AttributeName: "sk", KeyType: "RANGE" },
        ],
        GlobalSecondaryIndexes: [
          {
            IndexName: "gsi1",
            KeySchema: [
              { AttributeName: "gsi1pk", KeyType: "HASH" },
              { AttributeName: "gsi1sk", KeyType: "RANGE" },
            ],
            Projection: { ProjectionType: "ALL" },
          },
        ],
        StreamSpecification: { StreamViewType: "NEW_AND_OLD_IMAGES" },
        TimeToLiveSpecification: { AttributeName: "expiresAt", Enabled: true },
        SSESpecification: { SSEEnabled: true, SSEType: "KMS" },
        Replicas: [
          {
            Region: "us-east-1",
            DeletionProtectionEnabled: it.settings.keepsData,
            PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true, RecoveryPeriodInDays: 35 },
            SSESpecification: { KMSMasterKeyId: { "Fn::GetAtt": [expect.stringMatching(/^TableKey/), "Arn"] } },
          },
        ],
      });
    });

    test("every key has a vitaline:use tag, and encryption keys rotate", () => {
      const keys = stackNames.flatMap((name) => ofType(it.templates[name], "AWS::KMS::Key").map(([, properties]) => properties));
      const uses = keys.map(({ Tags }) => (Tags as { Key: string; Value: string }[]).find(({ Key }) => Key === "vitaline:use")?.Value);
      const backups = it.settings.keepsData ? ["backups"] : [];
      expect(uses.sort()).toEqual([...backups, "certificates", "files", "session-signing", "table", "vault"]);
      expect(keys.filter(({ KeyUsage, EnableKeyRotation }) => KeyUsage !== "SIGN_VERIFY" && EnableKeyRotation !== true)).toEqual([]);
    });

    test("every bucket is private, versioned, encrypted and closed to plain HTTP; the archive refuses deletion", () => {
      const buckets = stackNames.flatMap((name) => ofType(it.templates[name], "AWS::S3::Bucket"));
      expect(buckets).toHaveLength(5);
      for (const [, bucket] of buckets)
        expect(bucket).toMatchObject({
          PublicAccessBlockConfiguration: {
            BlockPublicAcls: true,
            BlockPublicPolicy: true,
            IgnorePublicAcls: true,
            RestrictPublicBuckets: true,
          },
          VersioningConfiguration: { Status: "Enabled" },
          BucketEncryption: { ServerSideEncryptionConfiguration: expect.anything() },
        });
      const insecure = stackNames.flatMap((name) =>
        ofType(it.templates[name], "AWS::S3::BucketPolicy").map(([, { PolicyDocument }]) => text(PolicyDocument)),
      );
      expect(insecure.filter((policy) => policy.includes('"aws:SecureTransport":"false"'))).toHaveLength(5);
      const archive = buckets.find(([id]) => id.startsWith("Archive"))?.[1];
      expect(archive).toMatchObject({
        ObjectLockEnabled: true,
        ObjectLockConfiguration: {
          Rule: { DefaultRetention: stage === "production" ? { Mode: "COMPLIANCE", Days: 7 * 366 } : { Mode: "GOVERNANCE", Days: 1 } },
        },
      });
    });

    test("A06: the archive's bucket policy refuses to every principal a write over an existing batch, and deletions", () => {
      const [id] = ofType(it.templates.data, "AWS::S3::Bucket").find(([name]) => name.startsWith("Archive")) ?? [];
      const [, policy] = ofType(it.templates.data, "AWS::S3::BucketPolicy").find(([, { Bucket }]) => (Bucket as Ref).Ref === id) ?? [];
      const refusing = statementsOf(policy?.["PolicyDocument"]).filter(
        ({ Effect, Resource }) => Effect === "Deny" && text(Resource).includes("/archive/*"),
      );
      expect(refusing).toMatchObject([
        {
          Principal: { AWS: "*" },
          Action: ["s3:PutObject"],
          Condition: { Null: { "s3:if-none-match": "true" }, Bool: { "s3:ObjectCreationOperation": "true" } },
        },
        { Principal: { AWS: "*" }, Action: ["s3:BypassGovernanceRetention", "s3:DeleteObject", "s3:DeleteObjectVersion"] },
      ]);
      // Where data is kept, deletion has no exception
      expect(refusing[1]?.Condition === undefined).toBe(it.settings.keepsData);
      const putting = functionNames.filter((name) =>
        policyOf(name).some(({ Action, Resource }) => Action.includes("s3:PutObject") && text(Resource).includes(String(id))),
      );
      expect(putting).toEqual(["events/archive"]);
    });

    test("exports expire after a week, and kept events after thirty days, with all versions", () => {
      const [, files] = ofType(it.templates.data, "AWS::S3::Bucket").find(([id]) => id.startsWith("Files")) ?? [];
      const rules = inside<Properties[]>(files, "LifecycleConfiguration", "Rules");
      const ending = (Prefix: string, ExpirationInDays: number) =>
        expect.objectContaining({ Status: "Enabled", Prefix, ExpirationInDays, NoncurrentVersionExpiration: { NoncurrentDays: 1 } });
      expect(rules.filter(({ Prefix, TagFilters }) => Prefix && !TagFilters)).toEqual([ending("exports/", 7), ending("kept-events/", 30)]);
    });

    test("C06: call files expire after the period in their tag, with all versions, and each period has its rule", () => {
      const [, files] = ofType(it.templates.data, "AWS::S3::Bucket").find(([id]) => id.startsWith("Files")) ?? [];
      const tagged = inside<Properties[]>(files, "LifecycleConfiguration", "Rules").filter(({ TagFilters }) => TagFilters);
      expect(tagged).toEqual(
        retentionDays.map((days) => ({
          Id: `retention-${days}`,
          Status: "Enabled",
          Prefix: "calls/",
          TagFilters: [{ Key: "retention", Value: String(days) }],
          ExpirationInDays: days,
          NoncurrentVersionExpiration: { NoncurrentDays: 1 },
        })),
      );
      expect(Object.values(defaultRetention).filter((days) => !retentionDays.includes(days))).toEqual([]);
    });

    test("data resources are retained with their stack in stages that keep data, and only there", () => {
      const kept = ["AWS::DynamoDB::GlobalTable", "AWS::KMS::Key", "AWS::S3::Bucket", "AWS::SecretsManager::Secret"];
      const policies = Object.values(it.templates.data.Resources).flatMap(({ Type, DeletionPolicy }) =>
        kept.includes(Type) ? [DeletionPolicy] : [],
      );
      expect(new Set(policies)).toEqual(new Set([it.settings.keepsData ? "Retain" : "Delete"]));
    });
  });

  describe("A07: backups", () => {
    test("of stages that keep data are taken each day, locked for as long as certificates of erasures say, copied and watched", () => {
      const one = (type: string): Properties | undefined => ofType(it.templates.data, type)[0]?.[1];
      if (!it.settings.keepsData) return expect(one("AWS::Backup::BackupVault")).toBeUndefined();
      expect(one("AWS::Backup::BackupVault")).toMatchObject({
        LockConfiguration: {
          ...{ MinRetentionDays: backupDays - 1, MaxRetentionDays: backupDays },
          ...(stage === "production" ? { ChangeableForDays: 3 } : {}),
        },
        EncryptionKeyArn: { "Fn::GetAtt": [expect.stringMatching(/^BackupKey/), "Arn"] },
      });
      const [, refusing] = [null, statementsOf(one("AWS::Backup::BackupVault")?.["AccessPolicy"])];
      expect(refusing).toMatchObject([
        { Effect: "Deny", Action: ["backup:DeleteRecoveryPoint", "backup:UpdateRecoveryPointLifecycle"], Resource: ["*"] },
      ]);
      const [rule] = inside<Properties[]>(one("AWS::Backup::BackupPlan"), "BackupPlan", "BackupPlanRule");
      expect(rule).toMatchObject({
        ScheduleExpression: "cron(0 5 * * ? *)",
        Lifecycle: { DeleteAfterDays: backupDays },
        CopyActions: [{ DestinationBackupVaultArn: it.settings.backupCopyVault, Lifecycle: { DeleteAfterDays: backupDays } }],
      });
      expect(text(inside(one("AWS::Backup::BackupSelection"), "BackupSelection", "Resources"))).toMatch(/Table\w+","Arn"/);
      expect(watchedIn("AWS/Backup")).toEqual([
        ...["NumberOfBackupJobsFailed 1 × 86400", "NumberOfBackupJobsCompleted 6 × 21600"],
        ...(it.settings.backupCopyVault ? ["NumberOfCopyJobsFailed 1 × 86400"] : []),
      ]);
    });
    const watchedIn = (namespace: string): string[] =>
      ofType(it.templates.data, "AWS::CloudWatch::Alarm")
        .filter(([, { Namespace }]) => Namespace === namespace)
        .map(([, { MetricName, EvaluationPeriods, Period }]) => `${String(MetricName)} ${String(EvaluationPeriods)} × ${String(Period)}`);

    test("files and archive are replicated where the stage names replicas: deletions of files only", () => {
      const replications = ofType(it.templates.data, "AWS::S3::Bucket").flatMap(
        ([, { ReplicationConfiguration }]) => ReplicationConfiguration ?? [],
      );
      const { replicas } = it.settings;
      expect(replications).toHaveLength(replicas ? 2 : 0);
      expect(watchedIn("AWS/S3")).toHaveLength(replicas ? 2 : 0);
      expect(replications).toMatchObject(
        [
          [replicas?.files, "Enabled"],
          [replicas?.archive, "Disabled"],
        ].flatMap(([Bucket, deletions]) =>
          Bucket === undefined
            ? []
            : [
                {
                  Rules: [
                    {
                      Status: "Enabled",
                      Filter: { Prefix: "" },
                      DeleteMarkerReplication: { Status: deletions },
                      SourceSelectionCriteria: { SseKmsEncryptedObjects: { Status: "Enabled" } },
                      Destination: { Bucket, EncryptionConfiguration: { ReplicaKmsKeyID: replicas?.keyArn } },
                    },
                  ],
                },
              ],
        ),
      );
    });
  });

  describe("the roles", () => {
    test("no role may scan, run PartiQL or have all rights of a service", () => {
      const actions = allStatements().flatMap(({ Action }) => Action);
      expect(actions.filter((action) => /^dynamodb:(Scan|PartiQL\w*|\*)$|^\*$|^\w+:\*$/i.test(action))).toEqual([]);
      const wild = functionNames.flatMap((name) => policyOf(name).flatMap(({ Action }) => Action)).filter((action) => action.includes("*"));
      expect(wild).toEqual([]);
    });

    test("every right on rows is limited to partitions, and fails for requests without keys", () => {
      for (const name of functionNames) {
        const onRows = policyOf(name).filter(({ Action }) => Action.some((action) => /^dynamodb:\w*(Item|Query)$/.test(action)));
        for (const { Condition } of onRows) {
          expect(Condition?.["Null"]).toEqual({ "dynamodb:LeadingKeys": "false" });
          const patterns = [Condition?.["ForAllValues:StringLike"]?.["dynamodb:LeadingKeys"] as string | string[]].flat();
          expect(patterns.filter((pattern) => !/^[A-Z]+(#|$)/.test(pattern) || pattern === "TENANT#*" || pattern === "PLATFORM#*")).toEqual(
            [],
          );
        }
      }
    });

    test("A04: functions that act for one tenant have in their own role no right to a tenant's rows, files, secrets or sealed values", () => {
      expect(functionNames.filter((name) => tenantRoleOf(name) !== undefined).sort()).toEqual(oneTenant.toSorted());
      for (const name of oneTenant) {
        const own = ownPolicyOf(name);
        expect([name, text(own).match(/TENANT#|aws:PrincipalTag|calls\/|kept-events\/|\/tenants\//g)]).toEqual([name, null]);
        expect(own.flatMap(({ Action }) => Action).filter((action) => action.startsWith("s3:"))).toEqual([]);
        const purposes = own.flatMap(({ Condition }) => Condition?.["StringEquals"]?.["kms:EncryptionContext:purpose"] ?? []);
        expect([name, [...new Set(purposes.flat())]]).toEqual([name, ["tools", "voice", "mcp"].includes(name) ? ["fhir-token"] : []]);
        expect(own.filter(({ Action }) => Action.some((action) => action.startsWith("sts:")))).toEqual([
          { Effect: "Allow", Action: ["sts:AssumeRole", "sts:TagSession"], Resource: [tenantRoleOf(name)] },
        ]);
      }
    });

    test("A04: the role for one tenant reaches rows, files, secrets and sealed values by the session's tag, and of what tenants share only the listed", () => {
      const shared: Partial<Record<FunctionName, string[]>> = {
        tenant: ["CALENDAR#*", "KEY#*", "PLATFORM#TENANTS", "PLATFORM#WEBHOOKS", "REF#*"],
        voice: ["PLATFORM#DUE#*", "PLATFORM#KEPT", "PLATFORM#OUTGOING#*"],
        mcp: ["PLATFORM#DUE#*", "PLATFORM#OUTGOING#*"],
        tools: ["PLATFORM#DUE#*", "PLATFORM#OUTGOING#*"],
        agents: ["PLATFORM#VOICE", "REF#*"],
        calendar: [],
      };
      for (const name of oneTenant) {
        const patterns = tenantPolicyOf(name).flatMap(
          ({ Condition }) => Condition?.["ForAllValues:StringLike"]?.["dynamodb:LeadingKeys"] ?? [],
        );
        const isOwn = (pattern: unknown) => String(pattern).startsWith("TENANT#${aws:PrincipalTag/tenantId}#");
        expect([name, [...new Set(patterns.flat())].filter((one) => !isOwn(one)).sort()]).toEqual([name, shared[name]]);
        for (const { Action, Resource, Condition } of tenantPolicyOf(name)) {
          const through = String(Condition?.["StringEquals"]?.["kms:ViaService"] ?? "");
          if (Action.some((action) => action.startsWith("kms:")) && !/^(dynamodb|s3|secretsmanager)\./.test(through))
            expect(Condition?.["StringEquals"]).toMatchObject({ "kms:EncryptionContext:tenantId": "${aws:PrincipalTag/tenantId}" });
          if (Action.some((action) => action.startsWith("secretsmanager:")) || through.startsWith("secretsmanager."))
            expect(text([Resource, Condition?.["StringLike"]])).toContain("/tenants/${aws:PrincipalTag/tenantId}/fhir/*");
          if (Action.some((action) => action.startsWith("s3:")))
            for (const each of Resource) expect(text(each)).toMatch(/"\/(calls|kept-events)\/\$\{aws:PrincipalTag\/tenantId\}\/\*"/);
        }
      }
    });

    test("A04: only its function assumes the role for one tenant, with the tenant as its one tag and its name", () => {
      for (const name of oneTenant) {
        const [id] = tenantRoleOf(name)?.["Fn::GetAtt"] ?? [];
        const role = new Map(ofAll("AWS::IAM::Role")).get(id ?? "");
        const tagged = {
          StringLike: { "aws:RequestTag/tenantId": "?".repeat(newId().length) },
          "ForAllValues:StringEquals": { "aws:TagKeys": ["tenantId"] },
        };
        const by = { Effect: "Allow", Principal: { AWS: inside<GetAtt>(functions().get(name), "Role") } };
        expect(inside(role, "AssumeRolePolicyDocument", "Statement")).toEqual([
          {
            ...by,
            Action: "sts:AssumeRole",
            Condition: { ...tagged, StringEquals: { "sts:RoleSessionName": "${aws:RequestTag/tenantId}" } },
          },
          { ...by, Action: "sts:TagSession", Condition: tagged },
        ]);
      }
    });

    test("an audit row can be written and neither changed nor deleted", () => {
      const touching = (action: string) =>
        functionNames.flatMap((name) =>
          policyOf(name).filter(({ Action, Condition }) => Action.includes(action) && text(Condition).includes("#AUDIT#")),
        );
      expect(touching("dynamodb:PutItem").length).toBeGreaterThan(0);
      for (const action of ["dynamodb:UpdateItem", "dynamodb:DeleteItem"]) expect(touching(action)).toEqual([]);
    });

    /** The secrets of the connections that the platform manages, and of those that these tenants do. */
    const secretsOf = (tenants: string) => new RegExp(`:secret:vitaline/${stage}/(fhir|tenants/${tenants}/fhir)/\\*`);

    test("a resource is a wildcard only where AWS allows no narrower one", () => {
      const wildcards = (name: FunctionName) => [
        ...new Set(policyOf(name).flatMap(({ Resource }) => Resource.map(text).filter((resource) => resource.includes("*")))),
      ];
      for (const name of functionNames) {
        const allowed = [
          /^"\*"$/,
          ...(["keys", ...reachingEhrs].includes(name) || needs[name].sessionKey ? [/:key\/\*/] : []),
          ...(reachingEhrs.includes(name) ? [secretsOf(oneTenant.includes(name) ? "\\$\\{aws:PrincipalTag/tenantId\\}" : "\\*")] : []),
          ...(["events/retry", "events/reconcile"].includes(name) ? [/Files.*"\/(calls|kept-events)\/\*"/] : []),
          ...(name === "events/retain" ? [/Files.*"\/calls\/\*"/] : []),
          ...(["tenant", "voice", "mcp"].includes(name) ? [/Files.*"\/(calls|kept-events)\/\$\{aws:PrincipalTag\/tenantId\}\/\*"/] : []),
          ...(["exports", "events/export", "events/erase"].includes(name) ? [/Files.*\/exports\/\*/] : []),
          ...(["admin", "events/erase", "exports", "events/export"].includes(name) ? [/Files.*\/exports\/erasures\/\*/] : []),
          ...(name === "events/erase" ? [/Files.*\/calls\/\*/, /Files.*\/kept-events\/\*/, secretsOf("\\*")] : []),
          ...(name === "events/archive" ? [/Archive.*\/archive\/\*/, /Unarchived.*"\/\*"/] : []),
          ...(["events/verify", "events/export"].includes(name) ? [/Archive.*\/archive\/\*/] : []),
        ];
        expect(wildcards(name).filter((resource) => !allowed.some((pattern) => pattern.test(resource)))).toEqual([]);
        const anywhere = policyOf(name)
          .filter(({ Resource }) => Resource.includes("*"))
          .flatMap(({ Action }) => Action);
        expect(anywhere.sort()).toEqual([
          ...(["events/project", "events/archive"].includes(name) ? ["dynamodb:ListStreams"] : []),
          ...(name === "keys" ? ["kms:CreateKey"] : []),
          "xray:PutTelemetryRecords",
          "xray:PutTraceSegments",
        ]);
      }
    });

    test("decryption is limited by purpose: keys to the functions that show or use them, patient data and EHR tokens to calls", () => {
      const purposes = (name: FunctionName, action: string) =>
        policyOf(name).flatMap(({ Action, Condition }) =>
          Action.includes(action) && Condition?.["StringEquals"]?.["kms:EncryptionContext:purpose"]
            ? [Condition["StringEquals"]["kms:EncryptionContext:purpose"] as string | string[]].flat().sort()
            : [],
        );
      const opens = Object.fromEntries(
        functionNames.map((name) => [name, purposes(name, "kms:Decrypt")]).filter(([, found]) => found?.length),
      );
      const calls = ["fhir-token", "phi"];
      expect(opens).toEqual({
        auth: ["totp"],
        tenant: ["phi", "tenant-api-key"],
        admin: ["tenant-api-key"],
        agents: ["voice-provider-key"],
        fhir: ["contact", "fhir-token"],
        dashboard: ["contact"],
        tools: [...calls, "tenant-api-key"],
        mcp: [...calls, "voice-provider-key"],
        voice: [...calls, "voice-provider-key", "webhook"],
        "events/remind": calls,
        "events/retry": calls,
        "events/deliver": ["phi", "webhook-signing"],
        "events/health": ["contact", "fhir-token", "voice-provider-key"],
        "events/reconcile": ["voice-provider-key"],
        "events/erase": ["phi"],
      });
      const seals = Object.fromEntries(
        functionNames.map((name) => [name, purposes(name, "kms:GenerateDataKey")]).filter(([, found]) => found?.length),
      );
      expect(seals).toEqual({
        auth: ["totp"],
        tenant: ["phi", "tenant-api-key", "webhook-signing"],
        admin: ["tenant-api-key"],
        agents: ["voice-provider-key", "webhook"],
        fhir: ["contact", "fhir-token"],
        site: ["contact"],
        tools: calls,
        mcp: calls,
        voice: calls,
        "events/remind": calls,
        "events/retry": calls,
        "events/deliver": ["phi"],
        "events/health": ["fhir-token"],
        "events/reconcile": ["phi"],
      });
    });

    test("functions that verify signatures cannot decrypt secrets that sign for a tenant: only events/deliver can, and only tenant creates them", () => {
      const holding = (action: string) =>
        functionNames.filter((name) =>
          policyOf(name).some((one) => one.Action.includes(action) && text(one.Condition).includes('"webhook-signing"')),
        );
      expect(holding("kms:Decrypt")).toEqual(["events/deliver"]);
      expect(holding("kms:GenerateDataKey")).toEqual(["tenant"]);
    });

    test("a right to decrypt is limited to a purpose, a secret or a service, never to a key alone", () => {
      const unbound = functionNames.flatMap((name) =>
        policyOf(name).filter(
          ({ Action, Condition }) =>
            Action.some((action) => /^kms:(Decrypt|GenerateDataKey)/.test(action)) &&
            !/kms:(ViaService|EncryptionContext:purpose)/.test(text(Condition ?? {})),
        ),
      );
      expect(unbound).toEqual([]);
    });

    test("only functions/keys creates signing keys, of one kind; calls sign with tagged keys alone; only auth signs sessions, and only erase signs certificates", () => {
      expect(granting("kms:CreateKey")).toEqual(["keys"]);
      expect(granting("kms:TagResource")).toEqual(["keys"]);
      expect(policyOf("keys").find(({ Action }) => Action.includes("kms:CreateKey"))?.Condition).toEqual({
        StringEquals: {
          "aws:RequestTag/vitaline:use": "platform-signing",
          "aws:RequestTag/vitaline:stage": stage,
          "kms:KeySpec": "RSA_3072",
          "kms:KeyUsage": "SIGN_VERIFY",
          "kms:KeyOrigin": "AWS_KMS",
        },
      });
      expect(new Set(granting("kms:Sign"))).toEqual(new Set(["auth", "keys", "events/erase", ...reachingEhrs]));
      expect(text(policyOf("events/erase").find(({ Action }) => Action.includes("kms:Sign"))?.Resource)).toContain("CertificateKey");
      for (const name of ["keys", ...reachingEhrs] as const)
        expect(policyOf(name).find(({ Action }) => Action.includes("kms:Sign"))?.Condition?.["StringEquals"]).toMatchObject({
          "aws:ResourceTag/vitaline:use": "platform-signing",
          "aws:ResourceTag/vitaline:stage": stage,
        });
      for (const action of ["kms:Sign", "kms:GetPublicKey"])
        expect(policyOf("auth").find(({ Action }) => Action.includes(action))?.Condition?.["StringEquals"]).toMatchObject({
          "aws:ResourceTag/vitaline:use": "session-signing",
          "aws:ResourceTag/vitaline:stage": stage,
        });
    });

    test("only functions/fhir creates secrets, and functions that call EHRs read them and replace only refresh tokens", () => {
      expect(granting("secretsmanager:CreateSecret")).toEqual(["fhir"]);
      for (const name of granting("secretsmanager:PutSecretValue").filter((one) => one !== "fhir"))
        for (const { Resource } of policyOf(name).filter(({ Action }) => Action.includes("secretsmanager:PutSecretValue")))
          for (const each of Resource) expect(text(each)).toMatch(/\/fhir\/\*\/refresh-token-\*"/);
      const ofEhrs = functionNames.filter((name) => secretsReadBy(name).some((resource) => resource.includes("/fhir/")));
      expect(new Set(ofEhrs)).toEqual(new Set(reachingEhrs));
    });

    test("texts are sent only from the stage's own number, and attachments only by the platform, both by the functions that run tools or send reminders", () => {
      const messaging = functionNames.filter((name) => ["tools", "voice", "mcp", "events/remind"].includes(name));
      const { smsOrigination } = it.settings;
      expect(granting("sms-voice:SendTextMessage")).toEqual(smsOrigination ? messaging : []);
      const texting = allStatements().filter(({ Action }) => Action.some((action) => action.startsWith("sms-voice:")));
      const set = (service: string) => expect.stringMatching(new RegExp(`:${service}:us-east-1:.*:configuration-set/vitaline-${stage}"`));
      for (const { Action, Resource } of texting)
        expect([Action, Resource.map(text)]).toEqual([["sms-voice:SendTextMessage"], [set("sms-voice"), text(smsOrigination)]]);
      expect(granting("ses:SendRawEmail")).toEqual(it.settings.mailFrom ? messaging : []);
      for (const { Condition, Resource } of allStatements().filter(({ Action }) => Action.some((action) => action.startsWith("ses:")))) {
        expect(Condition).toEqual({ StringEquals: { "ses:FromAddress": it.settings.mailFrom } });
        const identities = stage === "production" ? ["example.org", "no-reply@voice.example.org"] : [it.settings.mailFrom];
        const named = (name: string | undefined) => expect.stringMatching(new RegExp(`:identity/${name}"`));
        expect(Resource.map(text)).toEqual([set("ses"), ...identities.map(named)]);
      }
    });

    test("C06: functions that write call files or apply periods tag only those, with a period that has a rule, and can list missing files", () => {
      const tagging: FunctionName[] = ["voice", "mcp", "events/retry", "events/reconcile", "events/retain"];
      expect(granting("s3:PutObjectTagging")).toEqual(tagging);
      for (const name of tagging) {
        const { Resource, Condition } = policyOf(name).find(({ Action }) => Action.includes("s3:PutObjectTagging"))!;
        expect(text(Resource)).toMatch(/Files.*\/calls\/(\$\{aws:PrincipalTag\/tenantId\}\/)?\*/);
        expect(Condition).toEqual({ StringEquals: { "s3:RequestObjectTag/retention": retentionDays.map(String) } });
      }
      expect(granting("s3:ListBucket")).toEqual([
        "events/archive",
        "events/verify",
        "events/retry",
        "events/health",
        "events/export",
        "events/erase",
        "events/retain",
      ]);
    });

    test("C06: the function that applies retention periods decrypts nothing and deletes nothing", () => {
      const actions = policyOf("events/retain").flatMap(({ Action }) => Action);
      expect(actions.filter((action) => /Delete|GetObject$|vault/.test(action))).toEqual([]);
      expect(policyOf("events/retain").filter(({ Condition }) => text(Condition ?? {}).includes("EncryptionContext"))).toEqual([]);
    });

    test("C06: admin and erase can access copies of erasures and no other export", () => {
      const reached = (name: FunctionName, action: string) =>
        policyOf(name)
          .filter(({ Action }) => Action.includes(action))
          .flatMap(({ Resource }) => Resource.map((resource) => /"\/([^"]*)"/.exec(text(resource))?.[1]));
      const copies = "exports/erasures/*";
      expect([reached("admin", "s3:GetObject"), reached("admin", "s3:PutObject"), reached("admin", "s3:DeleteObject")]).toEqual([
        [copies],
        [],
        [],
      ]);
      expect(reached("events/erase", "s3:PutObject")).toEqual([copies]);
      expect(reached("events/erase", "s3:AbortMultipartUpload")).toEqual([copies]);
      expect(reached("events/erase", "s3:GetObject")).toEqual(["calls/*", "kept-events/*"]);
      expect(reached("events/erase", "s3:DeleteObject")).toEqual(["calls/*", "exports/*", "kept-events/*"]);
    });

    test("C06: functions that write and link exports are refused the copies of erasures, which lie under the same prefix", () => {
      const exporting = functionNames.filter((name) => needs[name].exportFiles !== undefined);
      expect(exporting).toEqual(["exports", "events/export"]);
      for (const name of exporting)
        expect([name, policyOf(name).filter(({ Effect }) => Effect === "Deny")]).toEqual([
          name,
          [expect.objectContaining({ Action: ["s3:GetObject", "s3:PutObject"], Resource: [expect.anything()] })],
        ]);
      for (const name of exporting)
        expect(text(policyOf(name).find(({ Effect }) => Effect === "Deny")?.Resource)).toMatch(/Files.*"\/exports\/erasures\/\*"/);
    });

    test("C06: an erasure reads some rows, and deletes others unread by keys found in them", () => {
      const rowsOf = (name: FunctionName, action: string) =>
        policyOf(name)
          .filter(({ Action }) => Action.includes(action))
          .flatMap(({ Condition }) => Condition?.["ForAllValues:StringLike"]?.["dynamodb:LeadingKeys"] ?? []);
      const [reads, writes, deletes] = ["dynamodb:GetItem", "dynamodb:UpdateItem", "dynamodb:DeleteItem"].map((action) =>
        rowsOf("events/erase", action),
      ) as [string[], string[], string[]];
      const unread = ["USERS", "TENANTS", "VOICE", "HEALTH#VOICE", "RECONCILED", "WEBHOOKS"].map((name) => `PLATFORM#${name}`);
      expect(deletes.filter((one) => !reads.includes(one))).toEqual(["KEY#*", "EMAIL#*", "CALENDAR#*", ...unread, "PLATFORM#REQUESTS#*"]);
      const stays = ["TENANT#*#CALLS", "TENANT#*#ERASED", "TENANT#*#RUNS", "TENANT#*#AUDIT#*", "PLATFORM#ERASURES"];
      expect(reads.filter((one) => !deletes.includes(one))).toEqual(stays);
      expect(writes).toEqual(["TENANT#*#CALL#*", "TENANT#*#CONFIG", "PLATFORM#ERASURES", "ERASURE#*", "PLATFORM#DUE#*"]);
      for (const action of ["dynamodb:PutItem", "dynamodb:DeleteItem"]) expect(rowsOf("admin", action)).toContain("ERASURE#*");
    });

    test("results and marks about voice platforms are deleted by the functions that write them and by an erasure", () => {
      const deleting = (row: string): FunctionName[] =>
        functionNames.filter((name) =>
          policyOf(name).some(
            ({ Action, Condition }) =>
              Action.includes("dynamodb:DeleteItem") &&
              [Condition?.["ForAllValues:StringLike"]?.["dynamodb:LeadingKeys"] ?? []].flat().includes(row),
          ),
        );
      expect(deleting("PLATFORM#HEALTH#VOICE").sort()).toEqual(["events/erase", "events/health"]);
      expect(deleting("PLATFORM#RECONCILED").sort()).toEqual(["events/erase", "events/reconcile"]);
    });

    test("calls write files that they cannot read, exports stay under their prefix, only an erasure deletes files, and no function may delete from the archive", () => {
      expect(granting("s3:PutObject")).toEqual([
        ...["exports", "voice", "mcp", "events/archive", "events/retry", "events/export", "events/erase", "events/reconcile"],
      ]);
      const decrypting = functionNames.filter((name) =>
        policyOf(name).some(
          ({ Action, Condition }) => Action.includes("kms:Decrypt") && text(Condition ?? {}).includes("s3.us-east-1.amazonaws.com"),
        ),
      );
      expect(decrypting).toEqual([
        ...["tenant", "admin", "exports", "events/archive", "events/verify", "events/retry", "events/export", "events/erase"],
      ]);
      expect(granting("s3:DeleteObject")).toEqual(["events/erase"]);
      const deleting = policyOf("events/erase").find(({ Action }) => Action.includes("s3:DeleteObject"));
      expect(deleting?.Resource.map(text).every((resource) => /Files.*\/(calls|kept-events|exports)\/\*/.test(resource))).toBe(true);
      expect(granting("lambda:InvokeFunction")).toEqual([
        ...["admin", "exports", "events/project", "events/verify", "events/retry"],
        ...["events/health", "events/export", "events/remind", "events/deliver", "events/reconcile"],
      ]);
      for (const [name, invoked] of [
        ["exports", "events-export"],
        ["admin", "events-erase"],
        ["events/retry", "events-erase"],
        ["events/project", "events-deliver"],
        ["events/retry", "events-retain"],
        ["events/health", "site"],
        ["events/health", "events-health"],
        ["events/export", "events-export"],
        ["events/remind", "events-remind"],
        ["events/deliver", "events-deliver"],
        ["events/reconcile", "events-reconcile"],
        ["events/verify", "events-verify"],
      ] as const) {
        const invoking = policyOf(name).filter(({ Action }) => Action.includes("lambda:InvokeFunction"));
        expect(invoking.flatMap(({ Resource }) => Resource.map(text))).toContainEqual(
          expect.stringMatching(new RegExp(`:function:vitaline-${stage}-${invoked}:live\\W*$`)),
        );
      }
    });
  });

  describe("the functions", () => {
    test("run on Node 24 and arm64, traced, at their size, each with its own role", () => {
      const roles = new Set<string>();
      for (const [name, properties] of functions()) {
        const { memoryMiB, timeoutSeconds } = sizeOf(name);
        expect(properties).toMatchObject({
          Runtime: "nodejs24.x",
          Architectures: ["arm64"],
          Handler: "index.handler",
          TracingConfig: { Mode: "Active" },
          MemorySize: memoryMiB,
          Timeout: timeoutSeconds,
        });
        roles.add(text(properties["Role"]));
      }
      expect(roles.size).toBe(functionNames.length);
    });

    test("the templates contain only our functions and CDK's helpers", () => {
      const names = stackNames.flatMap((name) =>
        ofType(it.templates[name], "AWS::Lambda::Function").map(([id]) => id.replace(/Function[0-9A-F]{8}$/, "")),
      );
      const helpers = names.filter((name) => name.startsWith("Custom"));
      expect(new Set(helpers.map((name) => name.slice(0, 20)))).toEqual(new Set(["CustomCDKBucketDeplo", "CustomS3AutoDeleteOb"]));
      expect(names.length - helpers.length).toBe(functionNames.length);
    });

    test("get the variables they need and no others", () => {
      const withOrigin = stage === "production" ? ["PUBLIC_ORIGIN"] : [];
      const secrets = (...names: string[]) => ["APP_SECRET_SECONDS", ...names.map((name) => `${name}_SECRET_ARN`)];
      const http = ["EDGE_SECRET_ARN", "APP_SECRET_SECONDS", ...withOrigin];
      const person = [...http, "SESSIONS_SECRET_ARN", "TABLE_NAME"];
      const mail = [...(stage === "demo" ? [] : ["MAIL_CONFIGURATION_SET", "MAIL_FROM"]), ...(stage === "local" ? ["SUPPORT_EMAIL"] : [])];
      const messaging = [...mail, ...(stage === "demo" ? [] : ["SMS_CONFIGURATION_SET", "SMS_ORIGINATION"])];
      const secondFactor = stage === "production" ? ["SYSTEM_ADMIN_TOTP"] : [];
      const wanted: Record<FunctionName, string[]> = {
        auth: [...person, ...mail, ...secondFactor, "VAULT_KEY_ARN"],
        tenant: [...person, "CURSORS_SECRET_ARN", "HASHES_SECRET_ARN", "FILES_BUCKET", "TENANT_ROLE_ARN", "VAULT_KEY_ARN"],
        admin: [...person, ...mail, "CURSORS_SECRET_ARN", "HASHES_SECRET_ARN", "ERASE_FUNCTION", "FILES_BUCKET", "VAULT_KEY_ARN"],
        fhir: [...person, ...mail, "CURSORS_SECRET_ARN", "FHIR_SECRET_PREFIX", "TENANT_SECRET_PREFIX", "VAULT_KEY_ARN"],
        keys: [...person, "STAGE"],
        dashboard: [...person, "CURSORS_SECRET_ARN", "VAULT_KEY_ARN"],
        voice: [
          ...http,
          ...messaging,
          "TOKENS_SECRET_ARN",
          "HASHES_SECRET_ARN",
          "FILES_BUCKET",
          "TABLE_NAME",
          "TENANT_ROLE_ARN",
          "VAULT_KEY_ARN",
        ],
        mcp: [
          ...http,
          ...messaging,
          "TOKENS_SECRET_ARN",
          "HASHES_SECRET_ARN",
          "FILES_BUCKET",
          "TABLE_NAME",
          "TENANT_ROLE_ARN",
          "VAULT_KEY_ARN",
        ],
        wellknown: [...http, "TABLE_NAME"],
        agents: [...person, "CURSORS_SECRET_ARN", "TENANT_ROLE_ARN", "VAULT_KEY_ARN"],
        tools: [...person, ...messaging, "TOKENS_SECRET_ARN", "HASHES_SECRET_ARN", "TENANT_ROLE_ARN", "VAULT_KEY_ARN"],
        exports: [...person, "CURSORS_SECRET_ARN", "EXPORT_FUNCTION", "FILES_BUCKET"],
        site: [...http, ...mail, ...(stage === "production" ? ["DEMO_SCHEDULING_URL"] : []), "TABLE_NAME", "VAULT_KEY_ARN"],
        calendar: [...http, "TABLE_NAME", "TENANT_ROLE_ARN"],
        public: [],
        "events/project": ["DELIVER_FUNCTION", "TABLE_NAME"],
        "events/deliver": [...withOrigin, "OWN_FUNCTION", "TABLE_NAME", "VAULT_KEY_ARN"],
        "events/archive": ["ARCHIVE_BUCKET", "TABLE_NAME"],
        "events/verify": ["ARCHIVE_BUCKET", "OWN_FUNCTION", "TABLE_NAME"],
        "events/retry": [
          ...mail,
          ...withOrigin,
          ...secrets("HASHES"),
          "ERASE_FUNCTION",
          "FILES_BUCKET",
          "RETAIN_FUNCTION",
          "TABLE_NAME",
          "VAULT_KEY_ARN",
        ],
        "events/receipts": ["TABLE_NAME"],
        "events/reconcile": [...withOrigin, "OWN_FUNCTION", ...secrets("HASHES"), "FILES_BUCKET", "TABLE_NAME", "VAULT_KEY_ARN"],
        "events/remind": [...withOrigin, "OWN_FUNCTION", ...messaging, "TABLE_NAME", "VAULT_KEY_ARN"],
        "events/health": [...http, "FILES_BUCKET", ...mail, "OWN_FUNCTION", "SITE_FUNCTION", "TABLE_NAME", "VAULT_KEY_ARN"],
        "events/retain": ["FILES_BUCKET", "TABLE_NAME"],
        "events/canary": ["CANARY_ORIGIN"],
        "events/export": ["ARCHIVE_BUCKET", "FILES_BUCKET", "NODE_OPTIONS", "OWN_FUNCTION", "TABLE_NAME"],
        "events/erase": [...secrets("HASHES"), "CERTIFICATE_KEY_ARN", "FILES_BUCKET", "TABLE_NAME", "VAULT_KEY_ARN"],
      };
      for (const name of functionNames) expect([name, Object.keys(environmentOf(name)).sort()]).toEqual([name, wanted[name].sort()]);
    });

    test("log into their own group, which is encrypted and has a retention period", () => {
      const groups = new Map(stackNames.flatMap((name) => ofType(it.templates[name], "AWS::Logs::LogGroup")));
      for (const [id, group] of groups)
        expect([id, group]).toEqual([
          id,
          expect.objectContaining({ KmsKeyId: expect.anything(), RetentionInDays: it.settings.keepsData ? 365 : 7 }),
        ]);
      const implicit = stackNames.flatMap((name) =>
        ofType(it.templates[name], "AWS::Lambda::Function")
          .filter(([, { LoggingConfig }]) => !groups.has((LoggingConfig as { LogGroup?: Ref } | undefined)?.LogGroup?.Ref ?? ""))
          .map(([id]) => id),
      );
      // CDK's bucket cleaner runs once, when the stack is deleted, and has no log group.
      expect(implicit.filter((id) => !id.startsWith("CustomS3AutoDeleteObjects"))).toEqual([]);
    });

    test("A01: CloudWatch alone, of this account, may publish alarms on their topic, and only encrypted", () => {
      const statements = ofType(it.templates.data, "AWS::SNS::TopicPolicy").flatMap(([, { PolicyDocument }]) =>
        statementsOf(PolicyDocument),
      );
      const [topic] = ofType(it.templates.data, "AWS::SNS::Topic");
      expect(statements.filter(({ Effect }) => Effect === "Allow")).toMatchObject([
        {
          Action: ["sns:Publish"],
          Principal: { Service: "cloudwatch.amazonaws.com" },
          Resource: [{ Ref: topic?.[0] }],
          Condition: { StringEquals: { "aws:SourceAccount": expect.anything() } },
        },
      ]);
      expect(statements.filter(({ Effect }) => Effect === "Deny")).toMatchObject([
        { Condition: { Bool: { "aws:SecureTransport": "false" } } },
      ]);
    });

    test("functions that wait for other systems are limited, and leave sign-in, the stream and the screens executions of their own", () => {
      const quota = it.settings.accountConcurrency;
      const reservedOf = (name: FunctionName) => functions().get(name)?.["ReservedConcurrentExecutions"] as number | undefined;
      const reserved = functionNames.filter((name) => reservedOf(name) !== undefined);
      if (stage === "demo") return expect(reserved).toEqual([]);
      const total = reserved.reduce((sum, name) => sum + (reservedOf(name) ?? 0), 0);
      // The rest is for functions without a reservation; Lambda refuses to leave less than 100.
      expect(quota - total).toBeGreaterThanOrEqual(100);
      // What waits for an address that a user entered, or is started by an event, cannot take more than its share.
      const outbound = functionNames.filter((name) => needs[name].outbound === true || name.startsWith("events/"));
      expect(outbound.filter((name) => reservedOf(name) === undefined)).toEqual([]);
      for (const name of ["auth", "events/project", "events/archive"] as const) expect(reservedOf(name)).toBeGreaterThan(0);
      for (const name of ["dashboard", "admin", "site"] as const) expect([name, reservedOf(name)]).toEqual([name, undefined]);
      return undefined;
    });

    test("the dashboard shows tenants over their limit and EHRs that fail, as functions log them", () => {
      for (const event of ["tool.limited", "ehr.circuit_opened", "ehr.told_to_wait"] as const)
        for (const name of Object.keys(metricLines[event].values)) expect(text(it.templates.monitoring)).toContain(name);
    });

    test("have alarms on errors, throttles and duration that notify the topic", () => {
      const alarms = alarmsOf().map(([, properties]) => properties);
      for (const { AlarmActions, OKActions } of alarms) expect(text([AlarmActions, OKActions])).toMatch(/Alarms.*Alarms/);
      for (const [id] of ofAll("AWS::Lambda::Function")) {
        const metrics = alarms.filter(({ Dimensions }) => text(Dimensions ?? []).includes(`"${id}"`)).map(({ MetricName }) => MetricName);
        expect([id, metrics]).toEqual([id, expect.arrayContaining(["Errors", "Throttles", "Duration"])]);
      }
    });

    test("A03: silence is a failure only where something speaks by itself: the canary, each schedule, verification and backups", () => {
      const silent = alarmsOf().filter(([, { TreatMissingData }]) => TreatMissingData === "breaching");
      const schedules = ofType(it.templates.events, "AWS::Events::Rule");
      expect(schedules).toHaveLength(9);
      const backups = it.settings.keepsData ? ["BackupMissing"] : [];
      const wanted = [...schedules.map(([id]) => `${id.slice(0, -8)}Silent`), "PublicAddress", "AuditUnverified", ...backups];
      expect(silent.map(([name]) => name).sort()).toEqual(wanted.sort());
      for (const [name, { Period, ComparisonOperator, EvaluationPeriods }] of silent)
        expect([name, Number(Period) * Number(EvaluationPeriods) <= 7 * 86_400, ComparisonOperator]).toEqual([
          name,
          true,
          ["PublicAddress", "AuditUnverified"].includes(name) ? "GreaterThanOrEqualToThreshold" : "LessThanOrEqualToThreshold",
        ]);
      // Their functions run without the schedule too.
      const byRule = silent.filter(([, { Namespace }]) => Namespace === "AWS/Events");
      expect(byRule.map(([name]) => name).sort()).toEqual(["DeliveriesSilent", "KeptRecordsSilent", "RetentionSilent"]);
      for (const [, { Dimensions }] of byRule) expect(Dimensions).toMatchObject([{ Name: "RuleName" }]);
    });

    test("A03: tools, sign-ins, the firewall, the table, mail, texts, backlogs, the certificate and the bill have alarms", () => {
      const watched = Object.fromEntries(
        ofType(it.templates.monitoring, "AWS::CloudWatch::Alarm").map(([, alarm]) => [
          String(alarm["AlarmName"]).replace(/^.*-/, ""),
          [alarm["Namespace"], alarm["MetricName"], alarm["Statistic"] ?? alarm["ExtendedStatistic"], alarm["Threshold"]],
        ]),
      );
      const own = `Vitaline/${stage}`;
      expect(watched).toEqual({
        PublicAddress: [own, "CanaryFailed", "Maximum", 1],
        CertificateEnds: [own, "CertificateDays", "Minimum", 21],
        ToolFailures: [own, "ToolFailed", "Average", 0.1],
        ToolDuration: [own, "ToolDuration", "p99", 2500],
        EhrCircuits: [own, "EhrCircuitsOpened", "Sum", 1],
        ToolRunsLimited: [own, "ToolRunsLimited", "Sum", 100],
        RefusedSignIns: [own, "AuthenticationRefused", "Sum", 100],
        FirewallBlocks: ["AWS/WAFV2", "BlockedRequests", "Sum", 500],
        TableReadThrottles: ["AWS/DynamoDB", "ReadThrottleEvents", "Sum", 1],
        TableWriteThrottles: ["AWS/DynamoDB", "WriteThrottleEvents", "Sum", 1],
        IndexReadThrottles: ["AWS/DynamoDB", "ReadThrottleEvents", "Sum", 1],
        IndexWriteThrottles: ["AWS/DynamoDB", "WriteThrottleEvents", "Sum", 1],
        MailBounces: ["AWS/SES", "Reputation.BounceRate", "Maximum", 0.04],
        MailComplaints: ["AWS/SES", "Reputation.ComplaintRate", "Maximum", 0.0008],
        TextFailures: [own, "MessageFailed", "Average", 0.2],
        RemindersLate: [own, "BacklogAge", "Maximum", 900],
        DueWorkLate: [own, "BacklogAge", "Maximum", 900],
        ProbesLate: [own, "BacklogAge", "Maximum", 900],
        SharesNotStarted: [own, "SharesNotStarted", "Sum", 1],
        EventsGivenUp: [own, "EventsGivenUp", "Sum", 1],
        RecordsRefused: [own, "RecordsRefused", "Sum", 1],
        CostHigh: ["AWS/Billing", "EstimatedCharges", "Maximum", 500],
      });
    });

    test("A03: throttles of the table and of each of its indexes have alarms, as a table's metric leaves out its indexes", () => {
      const [[, table] = []] = ofType(it.templates.data, "AWS::DynamoDB::GlobalTable");
      const indexes = inside<{ IndexName: string }[]>(table, "GlobalSecondaryIndexes").map(({ IndexName }) => IndexName);
      expect(indexes).not.toEqual([]);
      const watched = ofType(it.templates.monitoring, "AWS::CloudWatch::Alarm")
        .filter(([, { Namespace }]) => Namespace === "AWS/DynamoDB")
        .map(([, { MetricName, Dimensions }]) => {
          const of = Object.fromEntries((Dimensions as { Name: string; Value: unknown }[]).map(({ Name, Value }) => [Name, Value]));
          return [MetricName, of["TableName"] !== undefined, of["GlobalSecondaryIndexName"]];
        });
      expect(new Set(watched)).toEqual(
        new Set(
          ["ReadThrottleEvents", "WriteThrottleEvents"].flatMap((name) => [undefined, ...indexes].map((index) => [name, true, index])),
        ),
      );
    });

    test("A03: an alarm on a logged metric watches a name and dimensions that functions log", () => {
      const lines = Object.values(metricLines) as { dimensions: readonly (readonly string[])[]; values: Record<string, unknown> }[];
      for (const [name, alarm] of alarmsOf().filter(([, { Namespace }]) => Namespace === `Vitaline/${stage}`)) {
        const dimensions = ((alarm["Dimensions"] ?? []) as { Name: string }[]).map(({ Name }) => Name);
        const line = lines.find(({ values }) => String(alarm["MetricName"]) in values);
        expect([name, line?.dimensions]).toEqual([name, expect.arrayContaining([dimensions])]);
      }
    });

    test("A03: the canary asks the public address, with no right to the table, a key or a bucket", () => {
      const actions = policyOf("events/canary").flatMap(({ Action }) => Action);
      expect(actions.filter((action) => /^(dynamodb|s3|secretsmanager|lambda):/.test(action))).toEqual([]);
      const origin = text(environmentOf("events/canary")["CANARY_ORIGIN"]);
      expect(origin).toMatch(stage === "production" ? /^"https:\/\/voice\.example\.org"$/ : /https:\/\/.*Distribution.*DomainName/);
    });

    test("A03: each alarm is in the operator's table with its cause and what to do, and no other is", () => {
      const page = readFileSync(path.join(repository, "infra/README.md"), "utf8");
      const [, section = ""] = /^## Alarms$([^]*?)^## /m.exec(page) ?? [];
      const rows = [...section.matchAll(/^\| ([\w, ]+) \| [^|]+ \| [^|]+ \| [^|]+ \|$/gm)]
        .flatMap(([, names = ""]) => names.split(", "))
        .filter((name) => name !== "Alarm" && (it.settings.keepsData || !name.startsWith("Backup")))
        .filter(
          (name) => (it.settings.backupCopyVault || name !== "BackupCopyFailed") && (it.settings.replicas || name !== "NotReplicated"),
        );
      const names = alarmsOf().map(([name]) => (name.endsWith("Silent") ? "Silent" : name));
      expect(new Set(rows)).toEqual(new Set(names));
    });

    test("A03: the dashboard begins with the ten figures that an operator wants first", () => {
      const [[, dashboard] = []] = ofType(it.templates.monitoring, "AWS::CloudWatch::Dashboard");
      const [, parts] = inside<[string, (string | object)[]]>(dashboard, "DashboardBody", "Fn::Join");
      const body = parts.map((part) => (typeof part === "string" ? part : "resolved")).join("");
      const { widgets } = JSON.parse(body) as { widgets: { properties: { view: string; title: string } }[] };
      const views = widgets.map(({ properties }) => properties.view);
      expect(views.map((view) => view === "singleValue")).toEqual(views.map((_, index) => index < 10));
      expect(widgets.slice(0, 10).map(({ properties }) => properties.title)).toEqual([
        "Public address fails",
        "Tools that fail",
        "Tools, p99 ms",
        "Requests",
        "Server errors",
        "Refused sign-ins",
        "Blocked requests",
        "Totals behind, ms",
        "Events that failed",
        "Cost this month, USD",
      ]);
    });

    test("the web ACL's metric has no reserved name, and is the one that its alarm watches", () => {
      const [[, acl] = []] = ofType(it.templates.web, "AWS::WAFv2::WebACL");
      const metricName = inside<string>(acl, "VisibilityConfig", "MetricName");
      expect(["All", "Default_Action"]).not.toContain(metricName);
      const [, alarm] = alarmsOf().find(([name]) => name === "FirewallBlocks") ?? [];
      expect(alarm?.["Dimensions"]).toEqual([
        { Name: "Rule", Value: "ALL" },
        { Name: "WebACL", Value: metricName },
      ]);
    });

    test("events: the stream is projected with bisection and a maximum age, retries run every minute, and failures go to the queue", () => {
      const [mapping] = ofType(it.templates.events, "AWS::Lambda::EventSourceMapping").map(([, properties]) => properties);
      expect(mapping).toMatchObject({
        BisectBatchOnFunctionError: true,
        StartingPosition: "TRIM_HORIZON",
        MaximumRecordAgeInSeconds: 23 * 3600,
        MaximumBatchingWindowInSeconds: 1,
        DestinationConfig: { OnFailure: { Destination: { "Fn::GetAtt": [expect.stringMatching(/^Failures/), "Arn"] } } },
      });
      const archiving = ofType(it.templates.events, "AWS::Lambda::EventSourceMapping").find(([name]) => name.startsWith("Archiving"))?.[1];
      const events = inside<{ Pattern: string }[]>(archiving, "FilterCriteria", "Filters").map(
        ({ Pattern }) => JSON.parse(Pattern) as { eventName: string[]; userIdentity?: unknown },
      );
      expect(events.map(({ eventName, userIdentity }) => [eventName, userIdentity !== undefined])).toEqual(
        [1, 2].flatMap(() => [
          [["INSERT", "MODIFY"], false],
          [["REMOVE"], true],
        ]),
      );
      // No maximum of retries: a dropped batch would be missing from the totals.
      expect(mapping).not.toHaveProperty("MaximumRetryAttempts");
      const [, rule] = ofType(it.templates.events, "AWS::Events::Rule").find(([id]) => id.startsWith("EveryMinute")) ?? [];
      expect(rule).toMatchObject({ ScheduleExpression: "rate(1 minute)", State: "ENABLED" });
      for (const name of functionNames.filter((one) => one.startsWith("events/")))
        expect(text(functions().get(name)?.["DeadLetterConfig"])).toContain("Failures");
      expect(ofType(it.templates.events, "AWS::SQS::Queue")).toEqual([
        [expect.stringMatching(/^Failures/), expect.objectContaining({ KmsMasterKeyId: expect.anything() })],
      ]);
    });
  });

  describe("A06: the archive's alarms", () => {
    test("tell within minutes of changed rows, of rows that were given up, of a lag and of damage, and of a verification that does not run", () => {
      const alarms = ofType(it.templates.events, "AWS::CloudWatch::Alarm").map(([, alarm]) => alarm);
      const alarmOf = (event: keyof typeof metricLines) => alarms.find(({ MetricName }) => String(MetricName) in metricLines[event].values);
      for (const event of ["audit.changed", "audit.damaged"] as const)
        expect(alarmOf(event)).toMatchObject({ Period: 60, EvaluationPeriods: 1, Threshold: 1 });
      // A13: of every chain, as a run that hands them out cannot know what became of them
      expect(alarmOf("backlog.found")).toMatchObject({
        ...{ Period: 3600, EvaluationPeriods: 2, Threshold: 5400, Statistic: "Maximum" },
        ...{ ComparisonOperator: "GreaterThanOrEqualToThreshold", TreatMissingData: "breaching" },
        Dimensions: [{ Name: "operation", Value: "verify" }],
      });
      const [mapping, archiving] =
        ofType(it.templates.events, "AWS::Lambda::EventSourceMapping").find(([name]) => name.startsWith("Archiving")) ?? [];
      const [bucket] = ofType(it.templates.data, "AWS::S3::Bucket").find(([name]) => name.startsWith("Unarchived")) ?? [];
      expect(text(archiving?.["DestinationConfig"])).toContain(`ExportsOutputFnGetAtt${bucket}Arn`);
      expect(archiving?.["MetricsConfig"]).toEqual({ Metrics: ["EventCount"] });
      for (const metric of ["OnFailureDestinationDeliveredEventCount", "DroppedEventCount"])
        expect(alarms.find(({ MetricName }) => MetricName === metric)).toMatchObject({
          Namespace: "AWS/Lambda",
          Dimensions: [{ Name: "EventSourceMappingUUID", Value: { Ref: mapping } }],
          ...{ Period: 60, Threshold: 1 },
        });
      const lag = alarms.find(({ AlarmDescription }) => String(AlarmDescription).includes("archive lags"));
      expect(lag).toMatchObject({ MetricName: "IteratorAge", Period: 300, Threshold: 600_000 });
      const schedule = ofType(it.templates.events, "AWS::Events::Rule").find(([name]) => name.startsWith("Verification"))?.[1];
      expect(schedule).toMatchObject({ ScheduleExpression: "rate(1 hour)", State: "ENABLED" });
    });
  });

  describe("receipts", () => {
    const topicOf = (): [id: string, topic: Properties] => {
      const [first, ...others] = ofType(it.templates.api, "AWS::SNS::Topic");
      if (!first || others.length > 0) throw new Error("The API's stack has one topic.");
      return first;
    };

    test("of mails and texts, and nothing else, are published on one encrypted topic, only by the stage's own configuration sets", () => {
      const [id, topic] = topicOf();
      expect(topic).toMatchObject({ KmsMasterKeyId: expect.anything() });
      const TopicArn = { Ref: id };
      expect(ofType(it.templates.api, "AWS::SES::ConfigurationSetEventDestination").map(([, one]) => one["EventDestination"])).toEqual(
        it.settings.mailFrom
          ? [
              {
                Enabled: true,
                MatchingEventTypes: ["delivery", "deliveryDelay", "bounce", "complaint", "reject", "renderingFailure"],
                SnsDestination: { TopicARN: TopicArn },
              },
            ]
          : [],
      );
      const sets = ofType(it.templates.api, "AWS::SMSVOICE::ConfigurationSet").map(([, set]) => set);
      expect(sets).toHaveLength(it.settings.smsOrigination ? 1 : 0);
      for (const set of sets)
        expect(set).toMatchObject({
          ConfigurationSetName: `vitaline-${stage}`,
          // S02: AWS blocks the other countries even when a tenant allows them
          ...(it.settings.smsProtectConfiguration && { ProtectConfigurationId: it.settings.smsProtectConfiguration }),
          EventDestinations: [{ Enabled: true, SnsDestination: { TopicArn } }],
        });
      const statements = ofType(it.templates.api, "AWS::SNS::TopicPolicy").flatMap(([, { PolicyDocument }]) =>
        statementsOf(PolicyDocument),
      );
      const publishing = statements.filter(({ Effect }) => Effect === "Allow");
      expect(publishing).toHaveLength((it.settings.mailFrom ? 1 : 0) + (it.settings.smsOrigination ? 1 : 0));
      for (const { Action, Resource, Condition } of publishing) {
        expect([Action, Resource]).toEqual([["sns:Publish"], [TopicArn]]);
        expect(text(Condition)).toMatch(/:SourceAccount"/i);
        expect(text(Condition)).toContain(":configuration-set/");
      }
      expect(text(statements.filter(({ Effect }) => Effect === "Deny"))).toContain('"aws:SecureTransport":"false"');
    });

    test("start their function, which writes outcomes and opt-outs and reads nothing; failed starts go to the queue", () => {
      const [id] = topicOf();
      const [[, subscription] = [], ...others] = ofType(it.templates.events, "AWS::SNS::Subscription");
      expect(others).toEqual([]);
      expect(subscription).toMatchObject({
        Protocol: "lambda",
        TopicArn: { "Fn::ImportValue": expect.stringContaining(id) },
        RedrivePolicy: { deadLetterTargetArn: { "Fn::GetAtt": [expect.stringMatching(/^Failures/), "Arn"] } },
      });
      const alias = it.templates.events.Resources[inside<string>(subscription, "Endpoint", "Ref")];
      expect(alias).toMatchObject({ Type: "AWS::Lambda::Alias", Properties: { Name: "live" } });
      const functionId = inside<string>(alias, "Properties", "FunctionName", "Ref");
      expect(it.templates.events.Resources[functionId]?.Properties["FunctionName"]).toBe(`vitaline-${stage}-events-receipts`);
      const onRows = policyOf("events/receipts").filter(({ Action }) => Action.some((action) => action.startsWith("dynamodb:")));
      expect(onRows.flatMap(({ Action }) => Action)).toEqual(["dynamodb:ConditionCheckItem", "dynamodb:PutItem", "dynamodb:UpdateItem"]);
      const [keys] = ofType(it.templates.data, "AWS::KMS::Key").filter(([key]) => key.startsWith("FilesKey"));
      for (const service of ["ses", "sms-voice", "sns"]) expect(text(keys)).toContain(`"${service}.amazonaws.com"`);
    });

    test("have configuration sets that exist before the functions that use them", () => {
      const sets = ["AWS::SES::ConfigurationSetEventDestination", "AWS::SMSVOICE::ConfigurationSet"].flatMap((type) =>
        ofType(it.templates.api, type).map(([id]) => id),
      );
      const early = ofType(it.templates.api, "AWS::Lambda::Function").filter(([id, { Environment }]) => {
        const { DependsOn = [] } = it.templates.api.Resources[id] as { DependsOn?: string[] };
        return text(Environment ?? {}).includes("_CONFIGURATION_SET") && sets.some((set) => !DependsOn.includes(set));
      });
      expect(early).toEqual([]);
    });
  });

  describe("A09: deployments", () => {
    /** Logical id → resource, of the functions' stacks. */
    const all = () => ({ ...it.templates.api.Resources, ...it.templates.events.Resources });

    test("every function has a version and an alias, and everything that starts a function asks the alias", () => {
      const aliases = ofAll("AWS::Lambda::Alias");
      expect(aliases.map(([, { Name }]) => Name)).toEqual(functionNames.map(() => "live"));
      for (const [, { FunctionName, FunctionVersion }] of aliases) {
        const [version = ""] = inside<string[]>(FunctionVersion, "Fn::GetAtt");
        expect(all()[version]).toMatchObject({ Type: "AWS::Lambda::Version", Properties: { FunctionName } });
      }
      const started = [
        ...ofType(it.templates.routes, "AWS::ApiGatewayV2::Integration").map(([, { IntegrationUri }]) => IntegrationUri),
        ...ofType(it.templates.events, "AWS::Lambda::EventSourceMapping").map(([, { FunctionName }]) => FunctionName),
        ...ofType(it.templates.events, "AWS::SNS::Subscription").map(([, { Endpoint }]) => Endpoint),
        ...ofType(it.templates.events, "AWS::Events::Rule").flatMap(([, { Targets }]) =>
          (Targets as { Arn: unknown }[]).map(({ Arn }) => Arn),
        ),
        ...stackNames.flatMap((name) => ofType(it.templates[name], "AWS::Lambda::Permission").map(([, { FunctionName }]) => FunctionName)),
        ...functionNames.flatMap((name) =>
          policyOf(name).flatMap(({ Action, Resource }) => (Action.includes("lambda:InvokeFunction") ? Resource : [])),
        ),
        ...functionNames.flatMap((name) =>
          Object.entries(environmentOf(name)).flatMap(([variable, value]) => (variable.endsWith("_FUNCTION") ? [value] : [])),
        ),
      ].map(text);
      expect(started.length).toBeGreaterThan(40);
      expect(started.filter((one) => !/:live"|Live[0-9A-F]{8}"/.test(one))).toEqual([]);
      for (const name of functionNames) {
        const own = text(environmentOf(name)["OWN_FUNCTION"] ?? null).replace(/^"|"$/g, "");
        const mayStart = policyOf(name).flatMap(({ Action, Resource }) => (Action.includes("lambda:InvokeFunction") ? Resource : []));
        if (own !== "null")
          expect([own, mayStart.map(text)]).toEqual([
            `vitaline-${stage}-${name.replace("/", "-")}:live`,
            expect.arrayContaining([expect.stringContaining(own)]),
          ]);
      }
    });

    test("long work may be continued by any number of invocations in turn; elsewhere Lambda ends such a chain", () => {
      const mayLoop = functionNames.filter((name) => functions().get(name)?.["RecursiveLoop"] === "Allow");
      expect(mayLoop).toEqual(["events/export"]);
    });

    test("a deployment moves a tenth for ten minutes and goes back when an alarm of the new version starts, which stands beside its function", () => {
      const groups = ofAll("AWS::CodeDeploy::DeploymentGroup");
      expect(groups.map(([, { DeploymentGroupName }]) => DeploymentGroupName)).toEqual(functionNames.map((name) => name.replace("/", "-")));
      for (const name of ["api", "events"] as const) {
        const resources = it.templates[name].Resources;
        for (const [, group] of ofType(it.templates[name], "AWS::CodeDeploy::DeploymentGroup")) {
          expect(group).toMatchObject({
            DeploymentConfigName: it.settings.gradual
              ? "CodeDeployDefault.LambdaCanary10Percent10Minutes"
              : "CodeDeployDefault.LambdaAllAtOnce",
            AutoRollbackConfiguration: { Enabled: true, Events: ["DEPLOYMENT_FAILURE", "DEPLOYMENT_STOP_ON_ALARM"] },
            AlarmConfiguration: { Enabled: true },
          });
          const watching = inside<{ Name: Ref }[]>(group, "AlarmConfiguration", "Alarms").map(({ Name }) => resources[Name.Ref]);
          expect(watching.length).toBeGreaterThan(0);
          for (const alarm of watching) {
            // Of the new version alone: an alarm that is on already would stop the deployment that mends its cause.
            const [, version] = /"(?:ExecutedVersion|functionVersion)","Value":{"Fn::GetAtt":\["(\w+)"/.exec(text(alarm?.Properties)) ?? [];
            expect(resources[version ?? ""]?.Type).toBe("AWS::Lambda::Version");
          }
        }
        for (const resource of Object.values(resources).filter(({ Type }) => Type === "AWS::Lambda::Alias"))
          expect(resource).toMatchObject({ UpdatePolicy: { CodeDeployLambdaAliasUpdate: { DeploymentGroupName: expect.anything() } } });
      }
      const kinds = (name: FunctionName) =>
        inside<{ Name: Ref }[]>(groups[functionNames.indexOf(name)]?.[1], "AlarmConfiguration", "Alarms").map(({ Name }) =>
          String(all()[Name.Ref]?.Properties["AlarmName"]).replace(/^.*-/, ""),
        );
      expect(kinds("voice")).toEqual(["VersionErrors", "VersionFailures", "VersionToolFailures"]);
      expect(kinds("dashboard")).toEqual(["VersionErrors", "VersionFailures"]);
      expect(kinds("events/project")).toEqual(["VersionErrors"]);
    });

    test("no stack imports a function, a role or a version of another, so each can be renamed and removed", () => {
      const imports = stackNames.flatMap((name) => text(it.templates[name]).match(/"Fn::ImportValue":"[^"]*/g) ?? []);
      expect(imports.length).toBeGreaterThan(10);
      const ofFunctions = functionNames.map((name) => name.replace(/\W/g, ""));
      expect(imports.filter((one) => ofFunctions.some((name) => one.includes(`FnGetAtt${name}`) || one.includes(`Ref${name}`)))).toEqual(
        [],
      );
    });

    test("what a failed first deployment leaves does not stop the next: a name that is fixed is removed with the attempt", () => {
      const fixed = stackNames.flatMap((stackName) =>
        Object.entries(it.templates[stackName].Resources).filter(
          ([, { Type, Properties }]) =>
            Object.entries(Properties ?? {}).some(
              ([name, value]) => typeof value === "string" && new RegExp(`^(${Type.split("::")[2]})?Name$|^LogGroupName$`).test(name),
            ) || Type === "AWS::Lambda::Version",
        ),
      );
      expect(fixed.length).toBeGreaterThan(90);
      expect(fixed.filter(([, { DeletionPolicy }]) => DeletionPolicy === "Retain").map(([id]) => id)).toEqual([]);
      const policies = stackNames.flatMap((name) =>
        ofType(it.templates[name], "AWS::Logs::LogGroup").map(([id]) => it.templates[name].Resources[id]?.DeletionPolicy),
      );
      expect(new Set(policies)).toEqual(new Set([it.settings.keepsData ? "RetainExceptOnCreate" : "Delete"]));
      const versions = ofAll("AWS::Lambda::Version").map(([id]) => all()[id]?.DeletionPolicy);
      expect(new Set(versions)).toEqual(new Set(["RetainExceptOnCreate"]));
    });

    test("mail of a zone is signed for the zone's domain, with a MAIL FROM of it, and no address waits for a click", () => {
      const [identity, ...others] = ofType(it.templates.api, "AWS::SES::EmailIdentity").map(([, one]) => one);
      expect(others).toEqual([]);
      if (stage !== "production") return expect(identity?.["EmailIdentity"]).toBe(it.settings.mailFrom);
      expect(it.settings.mailFrom).toBe("no-reply@voice.example.org");
      expect(identity).toMatchObject({ EmailIdentity: "example.org", MailFromAttributes: { MailFromDomain: "bounce.example.org" } });
      const records = ofType(it.templates.api, "AWS::Route53::RecordSet").map(
        ([, { Type, Name }]) => `${String(Type)} ${typeof Name === "string" ? Name : "DKIM"}`,
      );
      return expect(records.sort()).toEqual([
        "CNAME DKIM",
        "CNAME DKIM",
        "CNAME DKIM",
        "MX bounce.example.org.",
        "TXT bounce.example.org.",
      ]);
    });
  });

  describe("the API", () => {
    test("has every route of the contract with its function, and besides only $default with public", () => {
      const integrations = new Map(ofType(it.templates.routes, "AWS::ApiGatewayV2::Integration"));
      const targets = new Map(
        ofType(it.templates.routes, "AWS::ApiGatewayV2::Route").map(([, { RouteKey, Target }]) => {
          const id = (Target as { "Fn::Join": [string, [string, Ref]] })["Fn::Join"][1][1].Ref;
          const [, name] = /:function:([\w-]+):live"/.exec(text(integrations.get(id)?.["IntegrationUri"])) ?? [];
          return [RouteKey, name];
        }),
      );
      const wanted = allRoutes().map(({ functionName, route }): [string, string] => [routeKey(route), `vitaline-${stage}-${functionName}`]);
      expect(new Map([...targets].sort())).toEqual(
        new Map([...wanted, ["$default", `vitaline-${stage}-public`]].sort() as [string, string][]),
      );
    });

    test("is throttled, and logs neither path, query nor header", () => {
      const [[, $default] = []] = ofType(it.templates.routes, "AWS::ApiGatewayV2::Stage");
      expect($default).toMatchObject({
        StageName: "$default",
        AutoDeploy: true,
        DefaultRouteSettings: { ThrottlingRateLimit: 500, ThrottlingBurstLimit: 1000 },
        RouteSettings: { "POST /api/auth/login": { ThrottlingRateLimit: 20, ThrottlingBurstLimit: 40 } },
      });
      const format = inside<string>($default, "AccessLogSettings", "Format");
      expect(format).toContain("$context.routeKey");
      expect(format).not.toMatch(/header|querystring|\$context\.path|authorizer/i);
    });
  });

  describe("the edge", () => {
    type Behavior = Properties & {
      PathPattern?: string;
      FunctionAssociations?: { EventType: string; FunctionARN: GetAtt }[];
      ResponseHeadersPolicyId: Ref;
      TargetOriginId: string;
    };
    const distribution = () =>
      ofType(it.templates.web, "AWS::CloudFront::Distribution")[0]?.[1]["DistributionConfig"] as Properties & {
        CacheBehaviors: Behavior[];
        DefaultCacheBehavior: Behavior;
        Origins: Properties[];
      };
    const run = (behavior: Behavior | undefined, request: Properties): Properties => {
      const [{ FunctionARN } = {}] = behavior?.FunctionAssociations ?? [];
      const code = it.templates.web.Resources[FunctionARN?.["Fn::GetAtt"][0] ?? ""]?.Properties["FunctionCode"] as string;
      const event = { request, viewer: { ip: "198.51.100.7" }, context: { requestId: "edge-request-1" } };
      return runInNewContext(`${code};handler(event)`, { event }) as Properties;
    };
    const page = (uri: string) => run(distribution().DefaultCacheBehavior, { uri, method: "GET", headers: {} });
    const headersOf = (behavior: Behavior | undefined) =>
      inside<Record<string, Properties>>(
        it.templates.web.Resources[behavior?.ResponseHeadersPolicyId.Ref ?? ""],
        "Properties",
        "ResponseHeadersPolicyConfig",
        "SecurityHeadersConfig",
      );

    test("sends every address of the contract to the API, with the viewer's address and the edge secret", () => {
      const { CacheBehaviors, Origins } = distribution();
      const api = CacheBehaviors.filter(({ PathPattern }) => PathPattern !== "/assets/*");
      expect(api.map(({ PathPattern }) => PathPattern).sort()).toEqual(["/.well-known/*", "/api/*", "/oauth/*"]);
      for (const { route } of allRoutes())
        expect(api.some(({ PathPattern }) => route.path.startsWith(PathPattern?.slice(0, -1) ?? "?"))).toBe(true);
      for (const behavior of api) {
        const { headers } = run(behavior, {
          uri: "/api/auth/me",
          headers: {
            host: { value: "vitaline.example" },
            "x-vitaline-viewer": { value: "203.0.113.9" },
            "x-vitaline-host": { value: "evil.example" },
          },
        });
        expect(headers).toMatchObject({ "x-vitaline-host": { value: "vitaline.example" }, "x-vitaline-viewer": { value: "198.51.100.7" } });
        const origin = Origins.find(({ Id }) => Id === behavior.TargetOriginId);
        expect(origin?.["OriginCustomHeaders"]).toEqual([{ HeaderName: "x-vitaline-edge", HeaderValue: expect.anything() }]);
        expect(origin?.["CustomOriginConfig"]).toMatchObject({ OriginProtocolPolicy: "https-only", OriginSSLProtocols: ["TLSv1.2"] });
      }
      expect(distribution()["CustomErrorResponses"]).toBeUndefined();
    });

    test("serves the page of a known address, with or without a slash, and answers any other with 404 and its own headers", () => {
      const pages = JSON.parse(readFileSync(path.join(repository, "web/src/app/paths.json"), "utf8")) as { path: string; file: string }[];
      for (const { path: uri, file } of pages) expect([page(uri)["uri"], page(uri === "/" ? uri : `${uri}/`)["uri"]]).toEqual([file, file]);
      expect(page("/favicon.svg")["uri"]).toBe("/favicon.svg");
      for (const { path: uri, file } of pages.filter(({ path: known }) => known.includes(":"))) {
        expect(page(uri.replace(/:.*/, "some-Token_1"))["uri"]).toBe(file);
        for (const other of ["", "a/b", "a/"]) expect(page(uri.replace(/:.*/, other))["uri"]).toBe(other === "a/" ? file : undefined);
      }
      for (const uri of ["/nothing", "/*", "/csp-hashes.json", "/__proto__", "/constructor", "/index.html/x"]) {
        const answer = page(uri);
        expect(answer["statusCode"]).toBe(404);
        expect(answer["headers"]).toMatchObject({
          "content-security-policy": { value: expect.stringContaining("default-src 'none'") },
          "x-content-type-options": { value: "nosniff" },
        });
      }
    });

    test("V12 answers other methods than a page's as the API does, and passes none on to the bucket", () => {
      const { DefaultCacheBehavior } = distribution();
      for (const method of ["POST", "PUT", "PATCH", "DELETE", "OPTIONS"]) {
        expect(DefaultCacheBehavior["AllowedMethods"]).toContain(method);
        for (const [uri, statusCode, code] of [
          ["/register", 404, "not_found"],
          ["/", 405, "method_not_allowed"],
          ["/login/", 405, "method_not_allowed"],
          ["/favicon.svg", 405, "method_not_allowed"],
        ] as const) {
          const answer = run(DefaultCacheBehavior, { uri, method, headers: {} });
          expect([method, uri, answer["statusCode"]]).toEqual([method, uri, statusCode]);
          const problem: unknown = JSON.parse(inside<string>(answer, "body", "data"));
          expect(Problem.parse(problem)).toMatchObject({ code, requestId: "edge-request-1" });
          expect(answer["headers"]).toMatchObject({
            "content-type": { value: "application/json; charset=utf-8" },
            "x-content-type-options": { value: "nosniff" },
            ...(statusCode === 405 ? { allow: { value: "GET, HEAD" } } : {}),
          });
        }
      }
    });

    test("allows scripts only by origin and hash, frames only the configured calendar, and requires HTTPS for two years", () => {
      const site = headersOf(distribution().DefaultCacheBehavior);
      const policy = String(site["ContentSecurityPolicy"]?.["ContentSecurityPolicy"]);
      expect(policy).toContain(`script-src 'self' 'sha256-${"B".repeat(43)}='`);
      expect(policy).toContain(`style-src 'self' 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=' 'sha256-${"A".repeat(43)}='`);
      expect(policy).toContain(`frame-src ${stage === "production" ? "https://cal.com" : "'none'"};`);
      expect(policy.replace("style-src-attr 'unsafe-inline'", "")).not.toMatch(/unsafe|\*|http:/);
      for (const headers of [site, headersOf(distribution().CacheBehaviors.find(({ PathPattern }) => PathPattern === "/api/*"))])
        expect(headers).toMatchObject({
          StrictTransportSecurity: { AccessControlMaxAgeSec: 63_072_000 },
          ContentTypeOptions: { Override: true },
          FrameOptions: { FrameOption: "DENY" },
        });
    });

    test("uploads assets as immutable before the pages that refer to them, and pages with revalidation", () => {
      const uploads = ofType(it.templates.web, "Custom::CDKBucketDeployment");
      expect(uploads.map(([, { SystemMetadata }]) => (SystemMetadata as Record<string, string>)["cache-control"])).toEqual([
        "public, max-age=31536000, immutable",
        "no-cache",
      ]);
      const [[assets] = [], [pages] = []] = uploads;
      expect((it.templates.web.Resources[pages ?? ""] as { DependsOn?: string[] }).DependsOn).toContain(assets);
    });
  });

  describe("the firewall", () => {
    type Test = {
      ByteMatchStatement?: { SearchString: string; TextTransformations: { Type: string }[] };
      NotStatement?: { Statement: Test };
      OrStatement?: { Statements: Test[] };
    };
    type Rule = {
      Name: string;
      Statement: {
        ManagedRuleGroupStatement?: { Name: string; ScopeDownStatement?: Test; RuleActionOverrides?: object[] };
        RateBasedStatement?: { AggregateKeyType: string; CustomKeys?: object[]; Limit: number; ScopeDownStatement?: Test };
      };
      VisibilityConfig: Properties;
    };
    const rules = () => ofType(it.templates.web, "AWS::WAFv2::WebACL")[0]?.[1]["Rules"] as Rule[];
    const concerns = (statement: Test | undefined, address: string): boolean => {
      if (!statement) return true;
      if (statement.NotStatement) return !concerns(statement.NotStatement.Statement, address);
      if (statement.OrStatement) return statement.OrStatement.Statements.some((inner) => concerns(inner, address));
      const { SearchString = "\0", TextTransformations = [] } = statement.ByteMatchStatement ?? {};
      return TextTransformations.reduce((path, { Type }) => transformations[Type]?.(path) ?? path, address).startsWith(SearchString);
    };
    /** Source: AWS WAF, text transformations. */
    const transformations: Record<string, (path: string) => string> = {
      URL_DECODE: decodeURIComponent,
      NORMALIZE_PATH: (address) => path.posix.normalize(address),
    };

    test("checks reputation and known bad input everywhere, and bodies everywhere except where platforms post transcripts", () => {
      const groups = rules().flatMap(({ Statement }) => Statement.ManagedRuleGroupStatement ?? []);
      for (const { route } of allRoutes()) {
        const tried = groups
          .filter(({ ScopeDownStatement }) => concerns(ScopeDownStatement, route.path))
          .map(({ Name }) => Name.replace("AWSManagedRules", ""));
        expect([route.path, tried]).toEqual([
          route.path,
          ["AmazonIpReputationList", "KnownBadInputsRuleSet", ...(isPlatforms(route) ? [] : ["CommonRuleSet"])],
        ]);
      }
    });

    test("A08: a body that the API takes is not refused for its size, nor a client without a User-Agent that fetches public keys", () => {
      const common = rules().flatMap(({ Statement: { ManagedRuleGroupStatement: group } }) =>
        group?.Name === "AWSManagedRulesCommonRuleSet" ? [group.RuleActionOverrides] : [],
      );
      expect(common).toEqual([["SizeRestrictions_BODY", "NoUserAgent_HEADER"].map((Name) => ({ Name, ActionToUse: { Count: {} } }))]);
    });

    test("counts sign-ins by address, platforms by their credential, and signed requests by path and address together", () => {
      const rated = (address: string) =>
        rules().flatMap(({ Statement: { RateBasedStatement: rate } }) =>
          rate && concerns(rate.ScopeDownStatement, address) ? [rate.CustomKeys ?? rate.AggregateKeyType] : [],
        );
      const plain = [{ Priority: 0, Type: "NONE" }];
      const asRouted = [
        { Priority: 0, Type: "URL_DECODE" },
        { Priority: 1, Type: "NORMALIZE_PATH" },
      ];
      const byHeader = ["authorization", "x-api-key", "x-vapi-secret"].map((Name) => [{ Header: { Name, TextTransformations: plain } }]);
      const byPathAndAddress = [{ UriPath: { TextTransformations: asRouted } }, { IP: {} }];
      expect(rated("/api/auth/login")).toEqual(["IP"]);
      for (const { route } of allRoutes().filter(({ route }) => isPlatforms(route)))
        expect([route.path, rated(route.path)]).toEqual([
          route.path,
          [...byHeader, ...(route.auth === "signature" ? [byPathAndAddress] : [])],
        ]);
      for (const { route } of allRoutes().filter(({ route }) => !isPlatforms(route) && !route.path.startsWith("/api/auth/")))
        expect([route.path, rated(route.path)]).toEqual([route.path, []]);
    });

    test("S07: counts a sign-in with any spelling of its path", () => {
      const written = ["/api/%61uth/login", "/api/auth%2Flogin", "/api//auth/login", "/api/./auth/login", "/api/offices/../auth/login"];
      for (const address of written) {
        const rated = rules().filter(({ Statement: { RateBasedStatement: rate } }) => rate && concerns(rate.ScopeDownStatement, address));
        expect([address, rated.map(({ Name }) => Name)]).toEqual([address, ["SignInByAddress"]]);
      }
    });

    test("logs every request without keys, paths and query strings, and keeps no samples", () => {
      const [[, logging] = []] = ofType(it.templates.web, "AWS::WAFv2::LoggingConfiguration");
      expect(logging?.["RedactedFields"]).toEqual([
        { QueryString: {} },
        { UriPath: {} },
        ...["authorization", "x-api-key", "x-vapi-secret", "cookie", "referer"].map((Name) => ({ SingleHeader: { Name } })),
      ]);
      expect(logging?.["LoggingFilter"]).toBeUndefined();
      expect(rules().map(({ VisibilityConfig }) => VisibilityConfig["SampledRequestsEnabled"])).not.toContain(true);
    });
  });
});

test("A08: a stage states its own limits of the firewall", () => {
  const limits = (stated: object) => {
    const [[, acl] = []] = ofType(synthesizeVariant("production", stated).templates.web, "AWS::WAFv2::WebACL");
    const rules = acl?.["Rules"] as { Statement: { RateBasedStatement?: { Limit: number } } }[];
    return rules.flatMap(({ Statement: { RateBasedStatement: rate } }) => (rate ? [rate.Limit] : []));
  };
  expect(limits({})).toEqual([300, 40_000, 40_000, 40_000, 40_000]);
  expect(limits({ firewall: { requestsPerKey: 60_000 } })).toEqual([300, 60_000, 60_000, 60_000, 60_000]);
});

test("A09: synthesis of a stage that is deployed fails when a rule of the packs is broken without a reason", () => {
  const breakRules = (app: App) => void new Bucket(app.node.findChild("vitaline-production-data") as Stack, "Open");
  expect(() => synthesizeVariant("production", {}, { change: breakRules })).toThrow("HIPAA.Security-S3BucketSSLRequestsOnly");
});

test("A07: a restored table replaces the stack's own in every function's environment, rights and stream, and the own one stays", () => {
  const tableStreamArn = "arn:aws:dynamodb:us-east-1:111122223333:table/vitaline-restored/stream/2026-11-20T10:00:00.000";
  const { templates } = synthesizeVariant("production", { tableName: "vitaline-restored", tableStreamArn });
  const served = [...ofType(templates.api, "AWS::Lambda::Function"), ...ofType(templates.events, "AWS::Lambda::Function")].flatMap(
    ([, { Environment }]) => (Environment as { Variables: Properties } | undefined)?.Variables["TABLE_NAME"] ?? [],
  );
  expect(new Set(served)).toEqual(new Set(["vitaline-restored"]));
  const resources = [...ofType(templates.api, "AWS::IAM::ManagedPolicy"), ...ofType(templates.events, "AWS::IAM::ManagedPolicy")]
    .flatMap(([, { PolicyDocument }]) => statementsOf(PolicyDocument))
    .filter(({ Action }) => Action.some((action) => /^dynamodb:\w*(Item|Query)$/.test(action)))
    .flatMap(({ Resource }) => Resource.map((resource) => JSON.stringify(resource)));
  expect(resources.length).toBeGreaterThan(20);
  expect(resources.filter((resource) => !/table\/vitaline-restored(\/index\/gsi1)?"/.test(resource))).toEqual([]);
  expect(ofType(templates.events, "AWS::Lambda::EventSourceMapping").map(([, { EventSourceArn }]) => EventSourceArn)).toEqual([
    tableStreamArn,
    tableStreamArn,
  ]);
  // Versions of before and after would serve two tables together.
  const configurations = (["api", "events"] as const).flatMap((name) =>
    ofType(templates[name], "AWS::CodeDeploy::DeploymentGroup").map(([, { DeploymentConfigName }]) => DeploymentConfigName),
  );
  expect(new Set(configurations)).toEqual(new Set(["CodeDeployDefault.LambdaAllAtOnce"]));
  expect(templates.data.Outputs?.["TableName"]?.Value).toBe("vitaline-restored");
  expect(ofType(templates.data, "AWS::DynamoDB::GlobalTable")).toHaveLength(1);
  expect(() => synthesizeVariant("production", { tableName: "vitaline-restored" })).toThrow("needs both tableName and tableStreamArn");
});

test("A05: the secret of session keys begins with the stack's key, and no later deployment sets it again", () => {
  const { templates } = synthesizeVariant("production", {});
  const [secret] = ofType(templates.data, "AWS::SecretsManager::Secret").filter(([id]) => id.startsWith("SessionsSecret"));
  const { GenerateSecretString, SecretString } = secret![1] as { GenerateSecretString: Properties; SecretString?: unknown };
  expect(SecretString).toBeUndefined();
  expect(GenerateSecretString["GenerateStringKey"]).toBe("nonce");
  expect(JSON.stringify(GenerateSecretString["SecretStringTemplate"])).toMatch(/value.*GetAtt.*SessionKey[0-9A-F]{8}.*Arn/);
  expect(JSON.stringify({ ...templates, data: {} })).not.toContain("SessionKey");
});
