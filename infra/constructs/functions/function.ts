import { Duration, RemovalPolicy } from "aws-cdk-lib";
import { ManagedPolicy, PolicyStatement, Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { Architecture, CfnFunction, Code, Function, type IFunction, LoggingFormat, RecursiveLoop, Runtime } from "aws-cdk-lib/aws-lambda";
import type { Queue } from "aws-cdk-lib/aws-sqs";
import { Construct } from "constructs";
import { acknowledge } from "../acknowledge.ts";
import { dashed, type FunctionName, sizeOf } from "../../config/functions.ts";
import { environmentFor } from "../../grants/environment.ts";
import { tableStatements } from "../../grants/dynamodb.ts";
import { statementsFor } from "../../grants/statements.ts";
import { needs } from "../../needs/index.ts";
import type { DataResources } from "../../resources/data-resources.ts";
import { lambdaName } from "../../resources/names.ts";
import { deployGradually } from "./gradual-deployment.ts";
import { alarmOn, encryptedLogGroup } from "../monitoring/alarm.ts";
import { TenantRole } from "./tenant-role.ts";
import { functionReasons, policyReasons } from "./function-acknowledgements.ts";

export type FunctionProps = {
  data: DataResources;
  folder: string;
  /** Receives events that the function failed to process; for functions that events start. */
  failures?: Queue;
  /** Rights that its trigger needs. */
  statements?: PolicyStatement[];
  /** Variables beside those of its needs. */
  environment?: Record<string, string>;
};

/** A Lambda function with its own role, log group, traces and alarms. All functions are created here. */
export class VitalineFunction extends Construct {
  /** All versions together, for metrics. */
  readonly fn: IFunction;
  /** What triggers invoke. */
  readonly live: IFunction;

  constructor(scope: Construct, name: FunctionName, { data, folder, failures, statements = [], environment = {} }: FunctionProps) {
    super(scope, dashed(name));
    const { reservedConcurrency } = data.settings;
    const functionName = lambdaName(name, data);
    const { memoryMiB, timeoutSeconds } = sizeOf(name);
    const logGroup = encryptedLogGroup(this, "Logs", { logGroupName: `/aws/lambda/${functionName}`, data });
    const role = new Role(this, "Role", {
      assumedBy: new ServicePrincipal("lambda.amazonaws.com"),
      description: `What ${functionName} may do`,
    });
    const { tenant } = needs[name];
    const tenantRole = tenant && new TenantRole(this, "Data", { by: role, functionName, needs: tenant, data });
    const rows = tableStatements(needs[name], data);
    const policy = new ManagedPolicy(this, "Policy", {
      roles: [role],
      statements: [
        ...statementsFor(needs[name], data),
        ...(tenantRole ? [new PolicyStatement({ actions: ["sts:AssumeRole", "sts:TagSession"], resources: [tenantRole.roleArn] })] : []),
        ...statements,
        new PolicyStatement({ actions: ["logs:CreateLogStream", "logs:PutLogEvents"], resources: [logGroup.logGroupArn] }),
        // X-Ray actions have no resource.
        new PolicyStatement({ actions: ["xray:PutTraceSegments", "xray:PutTelemetryRecords"], resources: ["*"] }),
        ...(failures ? sendTo(failures, data) : []),
      ],
    });
    // One of its own, because a managed policy has at most 6,144 characters.
    const rowsPolicy = rows.length > 0 ? [new ManagedPolicy(this, "Rows", { roles: [role], statements: rows })] : [];
    const fn = new Function(this, "Function", {
      functionName,
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      code: Code.fromAsset(folder),
      handler: "index.handler",
      memorySize: memoryMiB,
      timeout: Duration.seconds(timeoutSeconds),
      environment: {
        ...environmentFor(needs[name], data),
        ...(tenantRole ? { TENANT_ROLE_ARN: tenantRole.roleArn } : {}),
        ...environment,
      },
      // Prevents CDK from adding permissions to the policy above.
      role: role.withoutPolicyUpdates(),
      logGroup,
      loggingFormat: LoggingFormat.TEXT,
      reservedConcurrentExecutions: reservedConcurrency[name],
      deadLetterQueue: failures,
      // Else Lambda ends a chain of about sixteen. Source: "Use Lambda recursive loop detection" in the Lambda Developer Guide.
      recursiveLoop: needs[name].continuesItself && RecursiveLoop.ALLOW,
      // Kept for a way back. One whose deployment failed is removed, as Lambda would not publish the same code again.
      currentVersionOptions: { removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE },
    });
    (fn.node.defaultChild as CfnFunction).tracingConfig = { mode: "Active" };
    // Otherwise a first event could run before the role has its rights.
    fn.node.addDependency(policy, ...rowsPolicy, ...(tenantRole ? [tenantRole.policy] : []));
    this.fn = fn;
    this.live = deployGradually(this, fn, { name, data });
    this.#watch(fn, data, timeoutSeconds);
    acknowledge(policy, policyReasons(needs[name], data));
    acknowledge(fn, functionReasons(failures !== undefined, reservedConcurrency[name] !== undefined));
  }

  #watch(fn: Function, data: DataResources, timeoutSeconds: number): void {
    const every = { period: Duration.minutes(5) };
    alarmOn(this, "Errors", { data, description: `${fn.functionName} failed`, metric: fn.metricErrors(every), threshold: 1 });
    alarmOn(this, "Throttles", {
      data,
      description: `${fn.functionName} was throttled`,
      metric: fn.metricThrottles(every),
      threshold: 1,
    });
    alarmOn(this, "Duration", {
      data,
      description: `${fn.functionName} is close to its timeout`,
      metric: fn.metricDuration({ ...every, statistic: "p99" }),
      threshold: timeoutSeconds * 1000 * 0.8,
      periods: 3,
    });
  }
}

const sendTo = (queue: Queue, data: DataResources): PolicyStatement[] => [
  new PolicyStatement({ actions: ["sqs:SendMessage"], resources: [queue.queueArn] }),
  new PolicyStatement({
    actions: ["kms:GenerateDataKey", "kms:Decrypt"],
    resources: [data.filesKey.keyArn],
    conditions: { StringEquals: { "kms:ViaService": `sqs.${data.region}.amazonaws.com` } },
  }),
];
