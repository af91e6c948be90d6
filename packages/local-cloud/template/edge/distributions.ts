import { managedCachePolicies, managedOriginRequestPolicies } from "../iam/managed-policies.ts";
import type { BehaviorSpec, DistributionSpec, EdgeFunctionSpec, Encodings, Forwarding, OriginSpec } from "./distribution-types.ts";
import { StartError } from "../../lib/run.ts";
import { headersPolicyOf } from "./headers-policy.ts";
import { named, refuse, type Placed, type Resources } from "../resources.ts";

type Association = { EventType: string; FunctionARN: string };
type Behavior = {
  PathPattern?: string;
  TargetOriginId: string;
  AllowedMethods?: string[];
  CachePolicyId?: string;
  OriginRequestPolicyId?: string;
  ResponseHeadersPolicyId?: string;
  Compress?: boolean;
  FunctionAssociations?: Association[];
  LambdaFunctionAssociations?: unknown[];
};
type Origin = { Id: string; DomainName: string; OriginPath?: string; OriginCustomHeaders?: { HeaderName: string; HeaderValue: string }[] };
type Config = {
  Origins: Origin[];
  DefaultCacheBehavior: Behavior;
  CacheBehaviors?: Behavior[];
  DefaultRootObject?: string;
  CustomErrorResponses?: unknown[];
  OriginGroups?: { Quantity: number };
};

export const readDistributions = (resources: Resources): DistributionSpec[] =>
  resources.ofType("AWS::CloudFront::Distribution").map((placed) => readDistribution(resources, placed));

function readDistribution(resources: Resources, placed: Placed): DistributionSpec {
  const config = placed.properties["DistributionConfig"] as unknown as Config;
  const { CustomErrorResponses, OriginGroups, CacheBehaviors = [], DefaultCacheBehavior } = config;
  if (CustomErrorResponses || OriginGroups?.Quantity)
    throw new StartError(`${placed.where}: error responses and origin groups are not understood by the local platform.`);
  const origins = new Map(config.Origins.map((origin) => [origin.Id, originOf(resources, placed, origin)]));
  return {
    id: placed.ref,
    domainName: placed.attributes["DomainName"] ?? "",
    defaultRootObject: config.DefaultRootObject,
    behaviors: [...CacheBehaviors, DefaultCacheBehavior].map((behavior) => behaviorOf(resources, placed, origins, behavior)),
  };
}

function originOf(
  resources: Resources,
  { where }: Placed,
  { Id, DomainName, OriginPath = "", OriginCustomHeaders = [] }: Origin,
): OriginSpec {
  const bucket = resources
    .ofType("AWS::S3::Bucket")
    .find(({ attributes }) => [attributes["RegionalDomainName"], attributes["DomainName"]].includes(DomainName));
  const api = resources
    .ofType("AWS::ApiGatewayV2::Api")
    .find(({ attributes }) => new URL(attributes["ApiEndpoint"] ?? "").host === DomainName);
  const target = bucket ?? api;
  if (!target) throw new StartError(`${where}: its origin ${Id} (${DomainName}) is neither a bucket nor an API of the templates.`);
  return {
    kind: bucket ? "bucket" : "api",
    target: target.ref,
    pathPrefix: OriginPath,
    customHeaders: Object.fromEntries(OriginCustomHeaders.map(({ HeaderName, HeaderValue }) => [HeaderName.toLowerCase(), HeaderValue])),
  };
}

function behaviorOf(resources: Resources, { where }: Placed, origins: Map<string, OriginSpec>, behavior: Behavior): BehaviorSpec {
  if (behavior.LambdaFunctionAssociations?.length) throw new StartError(`${where}: Lambda@Edge does not run here.`);
  const origin = origins.get(behavior.TargetOriginId);
  if (!origin) throw new StartError(`${where}: a behavior targets ${behavior.TargetOriginId}, which is no origin of it.`);
  const cache = cachePolicyOf(resources, where, behavior.CachePolicyId);
  const originRequest = originRequestPolicyOf(resources, where, behavior.OriginRequestPolicyId);
  const edgeFunction = (event: string): EdgeFunctionSpec | undefined => {
    const association = behavior.FunctionAssociations?.find(({ EventType }) => EventType === event);
    return association && edgeFunctionOf(named(resources.ofType("AWS::CloudFront::Function"), association.FunctionARN, where));
  };
  return {
    pathPattern: behavior.PathPattern,
    origin,
    allowedMethods: new Set(behavior.AllowedMethods ?? ["GET", "HEAD"]),
    encodings: behavior.Compress ? cache.encodings : [],
    forwarding: [cache.forwarding, ...(originRequest ? [originRequest] : [])],
    viewerRequest: edgeFunction("viewer-request"),
    viewerResponse: edgeFunction("viewer-response"),
    responseHeaders: headersPolicyOf(resources, where, behavior.ResponseHeadersPolicyId),
  };
}

/** CloudFront's limit for a published function. */
const edgeFunctionLimitBytes = 10 * 1024;

function edgeFunctionOf(placed: Placed): EdgeFunctionSpec {
  const code = String(placed.properties["FunctionCode"]);
  const size = Buffer.byteLength(code);
  if (size > edgeFunctionLimitBytes)
    throw new StartError(`${placed.where}: its code has ${size} bytes, and CloudFront allows ${edgeFunctionLimitBytes}.`);
  return { name: placed.logicalId, code };
}

type Choice = { HeaderBehavior?: string; CookieBehavior?: string; QueryStringBehavior?: string; Headers?: string[] };
type HeadersConfig = Choice & { HeadersConfig: Choice; CookiesConfig: Choice; QueryStringsConfig: Choice };

function forwardingOf({ HeadersConfig, CookiesConfig, QueryStringsConfig }: HeadersConfig, where: string): Forwarding {
  const named = new Set((HeadersConfig.Headers ?? []).map((name) => name.toLowerCase()));
  const headers = { none: new Set<string>(), whitelist: named, allViewer: "all" as const, allExcept: { except: named } }[
    HeadersConfig.HeaderBehavior ?? "none"
  ];
  const whole = (choice: string | undefined): boolean => {
    if (choice !== "none" && choice !== "all")
      throw new StartError(`${where}: a policy that forwards some cookies or query strings and not others does not run here.`);
    return choice === "all";
  };
  if (!headers)
    throw new StartError(`${where}: the header behavior ${HeadersConfig.HeaderBehavior} is not understood by the local platform.`);
  return { headers, cookies: whole(CookiesConfig.CookieBehavior), query: whole(QueryStringsConfig.QueryStringBehavior) };
}

function cachePolicyOf(resources: Resources, where: string, id: string | undefined): { encodings: Encodings; forwarding: Forwarding } {
  if (id === undefined) throw new StartError(`${where}: a behavior without a cache policy does not run here.`);
  const managed = managedCachePolicies[id];
  if (managed) return managed;
  const policy = named(resources.ofType("AWS::CloudFront::CachePolicy"), id, where);
  refuse(policy, "ForwardedValues");
  const config = policy.properties["CachePolicyConfig"] as unknown as {
    ParametersInCacheKeyAndForwardedToOrigin: HeadersConfig & { EnableAcceptEncodingBrotli?: boolean; EnableAcceptEncodingGzip: boolean };
  };
  const { EnableAcceptEncodingBrotli: br, EnableAcceptEncodingGzip: gzip, ...rest } = config.ParametersInCacheKeyAndForwardedToOrigin;
  return { encodings: [...(br ? ["br" as const] : []), ...(gzip ? ["gzip" as const] : [])], forwarding: forwardingOf(rest, policy.where) };
}

function originRequestPolicyOf(resources: Resources, where: string, id: string | undefined): Forwarding | undefined {
  if (id === undefined) return undefined;
  const managed = managedOriginRequestPolicies[id];
  if (managed) return managed;
  const policy = named(resources.ofType("AWS::CloudFront::OriginRequestPolicy"), id, where);
  return forwardingOf(policy.properties["OriginRequestPolicyConfig"] as unknown as HeadersConfig, policy.where);
}
