import { createHash } from "node:crypto";
import type { Stack } from "./assembly.ts";

export type Identity = { ref: string; attributes: Record<string, string> };

type Place = { stack: Stack; logicalId: string; type: string; text: (property: string) => string | undefined };

const hashOf = (place: Place, length: number): string =>
  createHash("sha256").update(`${place.stack.name}/${place.logicalId}`).digest("hex").slice(0, length);

const uuidOf = (place: Place): string => hashOf(place, 32).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");

/** Stable across starts, since the data folder is kept. */
const generatedName = (place: Place): string => `${place.stack.name}-${place.logicalId}`;

const arn = ({ stack }: Place, service: string, resource: string): string =>
  `arn:aws:${service}:${stack.region}:${stack.account}:${resource}`;

/** A platform starts with one version of each function. */
const firstVersion = "1";

/** Of a version or alias, whose function is stated by name or ARN. */
const qualified = (place: Place, qualifier: string): string => {
  const name = place.text("FunctionName")?.split(":").at(-1) ?? "";
  return arn(place, "lambda", `function:${name}:${qualifier}`);
};

const globalArn = ({ stack }: Place, service: string, resource: string): string => `arn:aws:${service}::${stack.account}:${resource}`;

const identities: Record<string, (place: Place) => Identity> = {
  "AWS::DynamoDB::GlobalTable": (place) => {
    const ref = place.text("TableName") ?? generatedName(place);
    const Arn = arn(place, "dynamodb", `table/${ref}`);
    return { ref, attributes: { Arn, TableId: uuidOf(place), StreamArn: `${Arn}/stream/2020-01-01T00:00:00.000` } };
  },
  "AWS::KMS::Key": (place) => {
    const ref = uuidOf(place);
    return { ref, attributes: { KeyId: ref, Arn: arn(place, "kms", `key/${ref}`) } };
  },
  "AWS::KMS::Alias": (place) => ({ ref: place.text("AliasName") ?? "", attributes: {} }),
  "AWS::SecretsManager::Secret": (place) => {
    const ref = arn(place, "secretsmanager", `secret:${place.text("Name") ?? generatedName(place)}-${hashOf(place, 6)}`);
    return { ref, attributes: { Id: ref } };
  },
  "AWS::S3::Bucket": (place) => {
    const ref = place.text("BucketName") ?? generatedName(place).toLowerCase().slice(0, 63);
    const host = `${ref}.s3.${place.stack.region}.amazonaws.com`;
    return { ref, attributes: { Arn: `arn:aws:s3:::${ref}`, DomainName: `${ref}.s3.amazonaws.com`, RegionalDomainName: host } };
  },
  "AWS::SES::ConfigurationSet": (place) => ({ ref: place.text("Name") ?? generatedName(place), attributes: {} }),
  "AWS::SMSVOICE::ConfigurationSet": (place) => {
    const ref = place.text("ConfigurationSetName") ?? generatedName(place);
    return { ref, attributes: { Arn: arn(place, "sms-voice", `configuration-set/${ref}`) } };
  },
  "AWS::SES::EmailIdentity": (place) => {
    const dkim = [1, 2, 3].flatMap((number) => [
      [`DkimDNSTokenName${number}`, `${hashOf(place, 32)}${number}._domainkey.${place.text("EmailIdentity")}`],
      [`DkimDNSTokenValue${number}`, `${hashOf(place, 32)}${number}.dkim.amazonses.com`],
    ]);
    return { ref: place.text("EmailIdentity") ?? "", attributes: Object.fromEntries(dkim) as Record<string, string> };
  },
  "AWS::SNS::Topic": (place) => {
    const TopicName = place.text("TopicName") ?? generatedName(place);
    const ref = arn(place, "sns", TopicName);
    return { ref, attributes: { TopicArn: ref, TopicName } };
  },
  "AWS::SQS::Queue": (place) => {
    const QueueName = place.text("QueueName") ?? generatedName(place);
    const ref = `https://sqs.${place.stack.region}.amazonaws.com/${place.stack.account}/${QueueName}`;
    return { ref, attributes: { Arn: arn(place, "sqs", QueueName), QueueName, QueueUrl: ref } };
  },
  "AWS::IAM::Role": (place) => {
    const ref = place.text("RoleName") ?? generatedName(place);
    return { ref, attributes: { Arn: globalArn(place, "iam", `role/${ref}`), RoleId: `AROA${hashOf(place, 16).toUpperCase()}` } };
  },
  "AWS::IAM::ManagedPolicy": (place) => {
    const ref = globalArn(place, "iam", `policy/${place.text("ManagedPolicyName") ?? generatedName(place)}`);
    return { ref, attributes: { PolicyArn: ref } };
  },
  "AWS::Lambda::Function": (place) => {
    const ref = place.text("FunctionName") ?? generatedName(place).slice(0, 64);
    return { ref, attributes: { Arn: arn(place, "lambda", `function:${ref}`) } };
  },
  "AWS::Lambda::Version": (place) => ({ ref: qualified(place, firstVersion), attributes: { Version: firstVersion } }),
  "AWS::Lambda::Alias": (place) => ({ ref: qualified(place, place.text("Name") ?? ""), attributes: {} }),
  "AWS::ApiGatewayV2::Api": (place) => {
    const ref = hashOf(place, 10);
    return { ref, attributes: { ApiId: ref, ApiEndpoint: `https://${ref}.execute-api.${place.stack.region}.amazonaws.com` } };
  },
  "AWS::ApiGatewayV2::Stage": (place) => ({ ref: place.text("StageName") ?? "$default", attributes: {} }),
  "AWS::Events::Rule": (place) => {
    const ref = place.text("Name") ?? generatedName(place);
    return { ref, attributes: { Arn: arn(place, "events", `rule/${ref}`) } };
  },
  "AWS::CloudFront::Distribution": (place) => {
    const ref = `E${hashOf(place, 13).toUpperCase()}`;
    return { ref, attributes: { Id: ref, DomainName: `d${hashOf(place, 13)}.cloudfront.net` } };
  },
  "AWS::CloudFront::Function": (place) => {
    const ref = globalArn(place, "cloudfront", `function/${place.text("Name") ?? generatedName(place)}`);
    return { ref, attributes: { FunctionARN: ref, "FunctionMetadata.FunctionARN": ref, Stage: "LIVE" } };
  },
  "AWS::Logs::LogGroup": (place) => {
    const ref = place.text("LogGroupName") ?? generatedName(place);
    return { ref, attributes: { Arn: arn(place, "logs", `log-group:${ref}:*`) } };
  },
  "AWS::CloudWatch::Alarm": (place) => {
    const ref = place.text("AlarmName") ?? generatedName(place);
    return { ref, attributes: { Arn: arn(place, "cloudwatch", `alarm:${ref}`) } };
  },
  "AWS::WAFv2::WebACL": (place) => {
    const Arn = arn(place, "wafv2", `global/webacl/${generatedName(place)}/${uuidOf(place)}`);
    return { ref: `${generatedName(place)}|${uuidOf(place)}|CLOUDFRONT`, attributes: { Arn, Id: uuidOf(place) } };
  },
};

const anyIdentity = (place: Place): Identity => {
  const ref = hashOf(place, 20);
  return { ref, attributes: { Id: ref, Arn: arn(place, "local", `${place.logicalId}/${ref}`) } };
};

export const identityOf = (stack: Stack, logicalId: string, type: string, text: (property: string) => string | undefined): Identity =>
  (identities[type] ?? anyIdentity)({ stack, logicalId, type, text });
