import { Duration, Stack } from "aws-cdk-lib";
import { type Alarm, Metric } from "aws-cdk-lib/aws-cloudwatch";
import { LambdaApplication, LambdaDeploymentConfig, LambdaDeploymentGroup } from "aws-cdk-lib/aws-codedeploy";
import { type IRole, ManagedPolicy, Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { Alias, type Function } from "aws-cdk-lib/aws-lambda";
import { Construct } from "constructs";
import { dashed, type FunctionName } from "../../config/functions.ts";
import { needs } from "../../needs/index.ts";
import type { DataResources } from "../../resources/data-resources.ts";
import { lambdaName, liveAlias } from "../../resources/names.ts";
import { acknowledge } from "../acknowledge.ts";
import { alarmOn } from "../monitoring/alarm.ts";
import { loggedMetric } from "../monitoring/platform-metrics.ts";

const minute = Duration.minutes(1);
const fiveMinutes = Duration.minutes(5);

/**
 * The alias that everything invokes. Where deployments are gradual, a new version gets a tenth of the invocations for ten minutes, and none
 * once one of its alarms starts: CodeDeploy then moves the alias back, and CloudFormation the stack.
 */
export function deployGradually(scope: Construct, fn: Function, { name, data }: { name: FunctionName; data: DataResources }): Alias {
  const version = fn.currentVersion;
  const live = new Alias(scope, "Live", { aliasName: liveAlias, version });
  const { application, role } = Deployments.of(Stack.of(scope), data);
  new LambdaDeploymentGroup(scope, "Deployment", {
    application,
    role,
    alias: live,
    deploymentGroupName: dashed(name),
    deploymentConfig: data.settings.gradual ? LambdaDeploymentConfig.CANARY_10PERCENT_10MINUTES : LambdaDeploymentConfig.ALL_AT_ONCE,
    alarms: alarmsOfVersion(scope, version.version, { name, data }),
  });
  return live;
}

/** They watch the new version alone. An alarm of all versions would also stop the deployment that mends its cause. */
function alarmsOfVersion(scope: Construct, version: string, { name, data }: { name: FunctionName; data: DataResources }): Alarm[] {
  const functionName = lambdaName(name, data);
  const ofVersion = { functionName, functionVersion: version };
  return [
    alarmOn(scope, "VersionErrors", {
      data,
      description: `one invocation in twenty of a version of ${functionName} fails`,
      // Source: "Dimensions for Lambda metrics" in the Lambda Developer Guide.
      metric: new Metric({
        namespace: "AWS/Lambda",
        metricName: "Errors",
        statistic: "Average",
        period: minute,
        dimensionsMap: { FunctionName: functionName, Resource: `${functionName}:${liveAlias}`, ExecutedVersion: version },
      }),
      threshold: 0.05,
    }),
    ...(needs[name].http
      ? [
          alarmOn(scope, "VersionFailures", {
            data,
            description: `a version of ${functionName} answers 500`,
            metric: loggedMetric(data, "RequestFailed", { statistic: "Sum", dimensions: ofVersion, period: fiveMinutes }),
            threshold: 3,
          }),
        ]
      : []),
    ...(runsTools(name)
      ? [
          alarmOn(scope, "VersionToolFailures", {
            data,
            description: `every second tool of a version of ${functionName} fails`,
            metric: loggedMetric(data, "ToolFailed", { statistic: "Average", dimensions: ofVersion, period: fiveMinutes }),
            threshold: 0.5,
          }),
        ]
      : []),
  ];
}

/** For patients: the function `tools` runs them for tests, which metrics leave out. */
const runsTools = (name: FunctionName): boolean => ["voice", "mcp"].includes(name);

/** What all deployments of a stack share. */
class Deployments extends Construct {
  readonly application: LambdaApplication;
  readonly role: IRole;

  private constructor(stack: Stack, data: DataResources) {
    super(stack, "Deployments");
    this.application = new LambdaApplication(this, "Application", { applicationName: stack.stackName });
    const role = new Role(this, "Role", {
      assumedBy: new ServicePrincipal("codedeploy.amazonaws.com"),
      description: `Moves the aliases of ${data.settings.stage} to new versions`,
      managedPolicies: [ManagedPolicy.fromAwsManagedPolicyName("service-role/AWSCodeDeployRoleForLambdaLimited")],
    });
    acknowledge(role, {
      "AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSCodeDeployRoleForLambdaLimited]":
        "AWS's own policy for CodeDeploy, which only that service can assume: it reads alarms and moves aliases, and can change no code.",
    });
    this.role = role.withoutPolicyUpdates();
  }

  static of(stack: Stack, data: DataResources): Deployments {
    const existing = stack.node.tryFindChild("Deployments");
    return existing instanceof Deployments ? existing : new Deployments(stack, data);
  }
}
