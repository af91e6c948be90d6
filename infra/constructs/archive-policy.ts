import { CustomResourceProviderBase, Stack } from "aws-cdk-lib";
import { AnyPrincipal, Effect, PolicyStatement } from "aws-cdk-lib/aws-iam";
import type { Bucket } from "aws-cdk-lib/aws-s3";
import { archivePrefix } from "../resources/names.ts";

/** CDK's helper that empties the buckets of a stage without retained data when its stack is deleted. */
const emptyingRole = (bucket: Bucket): string | undefined =>
  Stack.of(bucket)
    .node.children.filter((child) => child instanceof CustomResourceProviderBase)
    .find(({ node }) => node.id.startsWith("Custom::S3AutoDeleteObjects"))?.roleArn;

/**
 * Refuses, to every principal, writes that could replace a batch, and deletions. Object Lock keeps old versions; this keeps a new
 * version or a delete marker from hiding them. Source: "Enforce conditional writes on Amazon S3 buckets" in the S3 User Guide; uploads in
 * parts are checked when they are completed.
 */
export function refuseOverwrites(bucket: Bucket): void {
  const deny = (actions: string[], conditions?: Record<string, Record<string, string>>): void =>
    void bucket.addToResourcePolicy(
      new PolicyStatement({
        effect: Effect.DENY,
        principals: [new AnyPrincipal()],
        actions: actions.map((action) => `s3:${action}`),
        resources: [bucket.arnForObjects(`${archivePrefix}*`)],
        conditions,
      }),
    );
  deny(["PutObject"], { Null: { "s3:if-none-match": "true" }, Bool: { "s3:ObjectCreationOperation": "true" } });
  const emptying = emptyingRole(bucket);
  deny(
    ["DeleteObject", "DeleteObjectVersion", "BypassGovernanceRetention"],
    emptying === undefined ? undefined : { ArnNotEquals: { "aws:PrincipalArn": emptying } },
  );
}
