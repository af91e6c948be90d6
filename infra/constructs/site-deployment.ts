import type { Bucket } from "aws-cdk-lib/aws-s3";
import { BucketDeployment, CacheControl, Source } from "aws-cdk-lib/aws-s3-deployment";
import type { CfnElement, Stack } from "aws-cdk-lib";
import { accountText, acknowledge, wildcard, type Reasons } from "./acknowledge.ts";
import type { Site } from "../assets/site.ts";
import type { DataResources } from "../resources/data-resources.ts";
import { encryptedLogGroup } from "./monitoring/alarm.ts";

/**
 * Uploads the assets before the pages that refer to them. Old assets remain for tabs that were opened before the deployment.
 */
export function publishSite(stack: Stack, { bucket, site, data }: { bucket: Bucket; site: Site; data: DataResources }): void {
  const logGroup = encryptedLogGroup(stack, "UploadLogs", {
    logGroupName: `/aws/lambda/vitaline-${data.settings.stage}-site-upload`,
    data,
  });
  const common = { destinationBucket: bucket, prune: false, memoryLimit: 512, logGroup };
  const assets = new BucketDeployment(stack, "UploadAssets", {
    ...common,
    sources: [Source.asset(site.folder, { exclude: ["*", "!assets", "!assets/**"] })],
    cacheControl: [CacheControl.fromString("public, max-age=31536000, immutable")],
  });
  const pages = new BucketDeployment(stack, "UploadPages", {
    ...common,
    sources: [Source.asset(site.folder, { exclude: ["assets", ".vite", "csp-hashes.json"] })],
    // CloudFront and browsers revalidate each time, and get 304 until the page changes.
    cacheControl: [CacheControl.noCache()],
  });
  pages.node.addDependency(assets);
  for (const uploader of stack.node.children.filter(({ node }) => node.id.startsWith("Custom::CDKBucketDeployment")))
    acknowledge(uploader, uploaderReasons(stack, bucket));
}

const whileDeploying =
  "CDK's own uploader: it runs while the stack is deployed and never for a request; CloudFormation waits for it, and a failure rolls the deployment back.";
const publicFiles =
  "CDK's own uploader copies the built site, which is public, from CDK's asset bucket into the site bucket; it may touch no others.";
const uploaderReasons = (stack: Stack, bucket: Bucket): Reasons => ({
  "AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSLambdaBasicExecutionRole]":
    "CDK's own uploader takes AWS's policy for writing logs; it gives no other right.",
  ...Object.fromEntries(
    ["Action::s3:GetObject*", "Action::s3:GetBucket*", "Action::s3:List*", "Action::s3:DeleteObject*", "Action::s3:Abort*"].map(
      (finding) => [wildcard(finding), publicFiles],
    ),
  ),
  [wildcard(`Resource::arn:aws:s3:::cdk-${stack.synthesizer.bootstrapQualifier}-assets-${accountText(stack)}-${stack.region}/*`)]:
    publicFiles,
  [wildcard(`Resource::<${stack.getLogicalId(bucket.node.defaultChild as CfnElement)}.Arn>/*`)]: publicFiles,
  "AwsSolutions-L1": whileDeploying,
  "HIPAA.Security-IAMNoInlinePolicy": publicFiles,
  "HIPAA.Security-LambdaConcurrency": whileDeploying,
  "HIPAA.Security-LambdaDLQ": whileDeploying,
  "HIPAA.Security-LambdaInsideVPC": whileDeploying,
  "Serverless-LambdaDLQ": whileDeploying,
  "Serverless-LambdaLatestVersion": whileDeploying,
  "Serverless-LambdaTracing": whileDeploying,
});
