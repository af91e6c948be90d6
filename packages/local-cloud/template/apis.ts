import type { Throttle } from "./router.ts";
import { StartError } from "../lib/run.ts";
import { invocable } from "./functions.ts";
import { refuse, type Placed, type Resources } from "./resources.ts";

export type ApiSpec = {
  id: string;
  domainName: string;
  account: string;
  routes: { key: string; functionArn: string }[];
  throttle?: Throttle;
  routeThrottles: Record<string, Throttle>;
};

export const readApis = (resources: Resources): ApiSpec[] =>
  resources.ofType("AWS::ApiGatewayV2::Api").map((api) => {
    refuse(api, "CorsConfiguration", "Body", "BodyS3Location", "Target");
    if (api.properties["ProtocolType"] !== "HTTP") throw new StartError(`${api.where}: only HTTP APIs run here.`);
    const ofThisApi = (type: string) => resources.ofType(type).filter(({ properties }) => properties["ApiId"] === api.ref);
    const stage = onlyStage(api, ofThisApi("AWS::ApiGatewayV2::Stage"));
    const integrations = new Map(
      ofThisApi("AWS::ApiGatewayV2::Integration").map((integration) => [integration.ref, functionOf(resources, integration)]),
    );
    return {
      id: api.ref,
      domainName: new URL(api.attributes["ApiEndpoint"] ?? "").host,
      account: api.stack.account,
      throttle: throttleOf(stage.properties["DefaultRouteSettings"] as RouteSettings | undefined),
      routeThrottles: routeThrottles(stage),
      routes: ofThisApi("AWS::ApiGatewayV2::Route").map((route) => ({
        key: String(route.properties["RouteKey"]),
        functionArn: targetOf(route, integrations),
      })),
    };
  });

function onlyStage(api: Placed, [stage, ...others]: Placed[]): Placed {
  if (stage?.ref !== "$default" || others.length > 0) throw new StartError(`${api.where}: needs one stage named $default to run here.`);
  return stage;
}

type RouteSettings = { ThrottlingRateLimit?: number; ThrottlingBurstLimit?: number };

const throttleOf = ({ ThrottlingRateLimit: requestsPerSecond, ThrottlingBurstLimit: burst }: RouteSettings = {}): Throttle | undefined =>
  requestsPerSecond === undefined || burst === undefined ? undefined : { requestsPerSecond, burst };

const routeThrottles = (stage: Placed): Record<string, Throttle> =>
  Object.fromEntries(
    Object.entries((stage.properties["RouteSettings"] ?? {}) as Record<string, RouteSettings>).flatMap(([key, settings]) => {
      const throttle = throttleOf(settings);
      return throttle ? [[key, throttle]] : [];
    }),
  );

function targetOf(route: Placed, integrations: Map<string, string>): string {
  const { Target, AuthorizationType = "NONE" } = route.properties;
  if (AuthorizationType !== "NONE") throw new StartError(`${route.where}: authorizers do not run here.`);
  const functionArn = integrations.get(String(Target).replace(/^integrations\//, ""));
  if (!functionArn) throw new StartError(`${route.where}: its target is no integration of its API.`);
  return functionArn;
}

function functionOf(resources: Resources, integration: Placed): string {
  const { IntegrationType, IntegrationUri, PayloadFormatVersion } = integration.properties;
  if (IntegrationType !== "AWS_PROXY" || PayloadFormatVersion !== "2.0")
    throw new StartError(`${integration.where}: only Lambda integrations of payload format 2.0 run here.`);
  const uri = String(IntegrationUri);
  const arn = /functions\/(.+)\/invocations$/.exec(uri)?.[1] ?? uri;
  const { arn: functionArn } = invocable(resources, arn, integration.where);
  checkPermission(resources, functionArn, "apigateway.amazonaws.com", integration.where);
  return functionArn;
}

/** AWS answers 500 on such a route, so the missing permission stops the start. One for the function is none for its alias. */
export function checkPermission(resources: Resources, functionArn: string, principal: string, where: string): void {
  const name = functionArn.split(":").slice(6).join(":");
  const granted = resources
    .ofType("AWS::Lambda::Permission")
    .some(({ properties }) => properties["Principal"] === principal && [functionArn, name].includes(String(properties["FunctionName"])));
  if (!granted) throw new StartError(`${where}: no AWS::Lambda::Permission lets ${principal} invoke ${name}.`);
}
