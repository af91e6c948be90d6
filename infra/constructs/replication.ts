import { Duration, type CfnElement } from "aws-cdk-lib";
import { Metric } from "aws-cdk-lib/aws-cloudwatch";
import { ManagedPolicy, PolicyStatement, Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import type { CfnBucket } from "aws-cdk-lib/aws-s3";
import type { Settings } from "../config/settings.ts";
import type { DataResources } from "../resources/data-resources.ts";
import { acknowledge, wildcard } from "./acknowledge.ts";
import { alarmOn } from "./monitoring/alarm.ts";

/**
 * Copies each new object of the files and the archive to the operator's buckets elsewhere, encrypted there under their key. Deletions of
 * files by the product are copied, so that an erasure reaches the copy; S3 does not copy those by lifecycle rules. The archive has none.
 */
export function replicate(data: DataResources, { account, files, archive, keyArn }: NonNullable<Settings["replicas"]>): void {
  const pairs = [
    { bucket: data.files, destination: files, deletions: "Enabled" },
    { bucket: data.archive, destination: archive, deletions: "Disabled" },
  ];
  const role = new Role(data, "ReplicationRole", {
    assumedBy: new ServicePrincipal("s3.amazonaws.com"),
    description: "What S3 may do to copy objects to the replicas",
  });
  const onObjects = (action: string): string => `s3:${action}`;
  const policy = new ManagedPolicy(data, "ReplicationPolicy", {
    roles: [role],
    statements: [
      new PolicyStatement({
        actions: ["s3:GetReplicationConfiguration", "s3:ListBucket"],
        resources: pairs.map(({ bucket }) => bucket.bucketArn),
      }),
      new PolicyStatement({
        actions: [
          "GetObjectVersionForReplication",
          "GetObjectVersionAcl",
          "GetObjectVersionTagging",
          "GetObjectRetention",
          "GetObjectLegalHold",
        ].map(onObjects),
        resources: pairs.map(({ bucket }) => bucket.arnForObjects("*")),
      }),
      new PolicyStatement({
        actions: ["ReplicateObject", "ReplicateDelete", "ReplicateTags", "ObjectOwnerOverrideToBucketOwner"].map(onObjects),
        resources: pairs.map(({ destination }) => `${destination}/*`),
      }),
      new PolicyStatement({
        actions: ["kms:Decrypt"],
        resources: [data.filesKey.keyArn],
        conditions: { StringEquals: { "kms:ViaService": `s3.${data.region}.amazonaws.com` } },
      }),
      new PolicyStatement({
        actions: ["kms:Encrypt"],
        resources: [keyArn],
        conditions: { StringLike: { "kms:ViaService": "s3.*.amazonaws.com" } },
      }),
    ],
  });
  acknowledge(
    policy,
    Object.fromEntries(
      [
        ...pairs.map(({ bucket }) => `<${data.getLogicalId(bucket.node.defaultChild as CfnElement)}.Arn>/*`),
        ...pairs.map(({ destination }) => `${destination}/*`),
      ].map((resource) => [
        wildcard(`Resource::${resource}`),
        "Replication copies every object of these buckets; only S3 can assume the role, and it can neither read objects for others nor delete a version.",
      ]),
    ),
  );
  for (const { bucket, destination, deletions } of pairs)
    (bucket.node.defaultChild as CfnBucket).replicationConfiguration = {
      role: role.roleArn,
      rules: [
        {
          id: "replica",
          status: "Enabled",
          priority: 1,
          filter: { prefix: "" },
          deleteMarkerReplication: { status: deletions },
          sourceSelectionCriteria: { sseKmsEncryptedObjects: { status: "Enabled" } },
          destination: {
            bucket: destination,
            account,
            accessControlTranslation: { owner: "Destination" },
            encryptionConfiguration: { replicaKmsKeyId: keyArn },
            metrics: { status: "Enabled", eventThreshold: { minutes: 15 } },
            replicationTime: { status: "Enabled", time: { minutes: 15 } },
          },
        },
      ],
    };
}

/** Once the alarm topic exists. */
export function watchReplication(data: DataResources, { files, archive }: NonNullable<Settings["replicas"]>): void {
  for (const [bucket, destination] of [
    [data.files, files],
    [data.archive, archive],
  ] as const)
    alarmOn(bucket, "NotReplicated", {
      data,
      description: "objects were not copied to the bucket elsewhere",
      // Source: "S3 Replication metrics in CloudWatch" in the Amazon S3 User Guide.
      metric: new Metric({
        namespace: "AWS/S3",
        metricName: "OperationsFailedReplication",
        statistic: "Sum",
        period: Duration.minutes(5),
        dimensionsMap: { SourceBucket: bucket.bucketName, DestinationBucket: destination.split(":").at(-1) ?? "", RuleId: "replica" },
      }),
      threshold: 1,
    });
}
