const running = new Set([
  "AWS::ApiGatewayV2::Api",
  "AWS::ApiGatewayV2::Integration",
  "AWS::ApiGatewayV2::Route",
  "AWS::ApiGatewayV2::Stage",
  "AWS::CloudFront::CachePolicy",
  "AWS::CloudFront::Distribution",
  "AWS::CloudFront::Function",
  "AWS::CloudFront::OriginRequestPolicy",
  "AWS::CloudFront::ResponseHeadersPolicy",
  "AWS::CloudWatch::Alarm",
  "AWS::DynamoDB::GlobalTable",
  "AWS::Events::Rule",
  "AWS::IAM::ManagedPolicy",
  "AWS::IAM::Policy",
  "AWS::IAM::Role",
  "AWS::KMS::Alias",
  "AWS::KMS::Key",
  "AWS::Lambda::Alias",
  "AWS::Lambda::EventInvokeConfig",
  "AWS::Lambda::EventSourceMapping",
  "AWS::Lambda::Function",
  "AWS::Lambda::Permission",
  "AWS::Lambda::Version",
  "AWS::S3::Bucket",
  "AWS::S3::BucketPolicy",
  "AWS::SES::ConfigurationSet",
  "AWS::SES::ConfigurationSetEventDestination",
  "AWS::SES::EmailIdentity",
  "AWS::SMSVOICE::ConfigurationSet",
  "AWS::SNS::Subscription",
  "AWS::SNS::Topic",
  "AWS::SNS::TopicPolicy",
  "AWS::SQS::Queue",
  "AWS::SecretsManager::Secret",
  "Custom::CDKBucketDeployment",
]);

const ignored = new Set([
  "AWS::ApplicationAutoScaling::ScalableTarget",
  "AWS::CDK::Metadata",
  "AWS::CloudFront::OriginAccessControl",
  "AWS::CloudWatch::Dashboard",
  "AWS::CodeDeploy::Application",
  "AWS::CodeDeploy::DeploymentGroup",
  "AWS::Lambda::LayerVersion",
  "AWS::Logs::LogGroup",
  "AWS::Logs::QueryDefinition",
  "AWS::Logs::ResourcePolicy",
  "AWS::SQS::QueuePolicy",
  "AWS::WAFv2::IPSet",
  "AWS::WAFv2::LoggingConfiguration",
  "AWS::WAFv2::RegexPatternSet",
  "AWS::WAFv2::WebACL",
  "AWS::WAFv2::WebACLAssociation",
  "Custom::S3AutoDeleteObjects",
]);

/** Custom resources that CDK adds for CloudFormation; they are not invoked here. */
const cdkProvider =
  /^(CustomCDKBucketDeployment|CustomS3AutoDeleteObjects|LogRetention|BucketNotificationsHandler|SingletonLambda|AWSCDKCfnUtilsProvider)/;

export type Treatment = "run" | "ignore" | "unknown";

export function treatmentOf(type: string, logicalId: string): Treatment {
  if (type === "AWS::Lambda::Function" && cdkProvider.test(logicalId)) return "ignore";
  if (running.has(type)) return "run";
  return ignored.has(type) ? "ignore" : "unknown";
}
