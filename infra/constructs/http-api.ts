import { allRoutes, routeKey } from "@vitaline/contract";
import { Duration } from "aws-cdk-lib";
import { AccessLogField, AccessLogFormat } from "aws-cdk-lib/aws-apigateway";
import { type CfnStage, HttpApi, HttpMethod, HttpStage, LogGroupLogDestination } from "aws-cdk-lib/aws-apigatewayv2";
import { HttpLambdaIntegration } from "aws-cdk-lib/aws-apigatewayv2-integrations";
import type { IFunction } from "aws-cdk-lib/aws-lambda";
import { Construct } from "constructs";
import { acknowledge } from "./acknowledge.ts";
import type { FunctionName } from "../config/functions.ts";
import type { DataResources } from "../resources/data-resources.ts";
import { alarmOn, encryptedLogGroup } from "./monitoring/alarm.ts";

/** No path, query or headers: they can contain ids, searches and keys. */
const accessLog = {
  requestId: AccessLogField.contextRequestId(),
  at: AccessLogField.contextRequestTimeEpoch(),
  address: AccessLogField.contextIdentitySourceIp(),
  route: AccessLogField.contextRouteKey(),
  status: AccessLogField.contextStatus(),
  bytes: AccessLogField.contextResponseLength(),
  ms: AccessLogField.contextResponseLatency(),
  functionMs: AccessLogField.contextIntegrationLatency(),
  error: AccessLogField.contextErrorResponseType(),
};

/** Limit per second for unauthenticated writes, from all clients together: each costs a password hash, a mail or a row. */
const publicWriteLimits = { ThrottlingRateLimit: 20, ThrottlingBurstLimit: 40 };
const routeSettings = Object.fromEntries(
  allRoutes().flatMap(({ route }) => (route.auth === "public" && route.method !== "GET" ? [[routeKey(route), publicWriteLimits]] : [])),
);

/** The HTTP API: one route for each route of the contract, and `$default` for all other requests. */
export class ContractApi extends Construct {
  readonly api: HttpApi;

  constructor(scope: Construct, id: string, { data, functionOf }: { data: DataResources; functionOf(name: FunctionName): IFunction }) {
    super(scope, id);
    const { stage, throttling } = data.settings;
    const integrations = new Map<FunctionName, HttpLambdaIntegration>();
    const integrationOf = (name: FunctionName): HttpLambdaIntegration => {
      const existing = integrations.get(name);
      if (existing) return existing;
      // One permission per function instead of per route: function policies are limited to 20 KB.
      const created = new HttpLambdaIntegration(name, functionOf(name), { scopePermissionToRoute: false });
      integrations.set(name, created);
      return created;
    };

    this.api = new HttpApi(this, "Http", {
      apiName: `vitaline-${stage}`,
      createDefaultStage: false,
      defaultIntegration: integrationOf("public"),
    });
    const routes = allRoutes().flatMap(({ functionName, route }) =>
      this.api.addRoutes({ path: route.path, methods: [HttpMethod[route.method]], integration: integrationOf(functionName) }),
    );
    const logGroup = encryptedLogGroup(this, "AccessLogs", { logGroupName: `/aws/vendedlogs/vitaline-${stage}-api`, data });
    const apiStage = new HttpStage(this, "Stage", {
      httpApi: this.api,
      stageName: "$default",
      autoDeploy: true,
      detailedMetricsEnabled: true,
      throttle: { rateLimit: throttling.requestsPerSecond, burstLimit: throttling.burst },
      accessLogSettings: { destination: new LogGroupLogDestination(logGroup), format: AccessLogFormat.custom(JSON.stringify(accessLog)) },
    });
    (apiStage.node.defaultChild as CfnStage).routeSettings = routeSettings;
    // API Gateway rejects settings of routes that do not exist yet.
    apiStage.node.addDependency(...routes);
    alarmOn(this, "ServerErrors", {
      data,
      description: "the API answers 5xx",
      metric: this.api.metricServerError({ period: Duration.minutes(5), statistic: "Sum" }),
      threshold: 5,
    });
    acknowledge(this.api, {
      "AwsSolutions-APIG4":
        "serve() authenticates by the route's row in the contract: a session token signed by KMS, a tenant's API key, a platform's signature, or none on public routes; a generated test tries each route with each credential.",
    });
  }
}
