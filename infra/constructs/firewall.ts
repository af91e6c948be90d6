import { Stack } from "aws-cdk-lib";
import { CfnLoggingConfiguration, CfnWebACL } from "aws-cdk-lib/aws-wafv2";
import { Construct } from "constructs";
import { hookPathPrefixes, platformPathPrefixes } from "../config/functions.ts";
import type { Settings } from "../config/settings.ts";
import type { DataResources } from "../resources/data-resources.ts";
import { encryptedLogGroup } from "./monitoring/alarm.ts";

type Statement = CfnWebACL.StatementProperty;
type Rule = { name: string; statement: Statement; managed: boolean };

const windowSeconds = 300;
/** Headers in which voice platforms send a tenant's key. */
const keyHeaders = ["authorization", "x-api-key", "x-vapi-secret"];

const plain = [{ priority: 0, type: "NONE" }];
/** Normalized as the router does: "/api/%61uth/../auth/login" is a sign-in. */
const asRouted = [
  { priority: 0, type: "URL_DECODE" },
  { priority: 1, type: "NORMALIZE_PATH" },
];
const pathBegins = (prefix: string): Statement => ({
  byteMatchStatement: {
    fieldToMatch: { uriPath: {} },
    positionalConstraint: "STARTS_WITH",
    searchString: prefix,
    textTransformations: asRouted,
  },
});
const anyOf = (statements: Statement[]): Statement =>
  statements.length === 1 && statements[0] ? statements[0] : { orStatement: { statements } };
const managed = (name: string, scopeDownStatement?: Statement, counted: readonly string[] = []): Rule => ({
  name,
  managed: true,
  statement: {
    managedRuleGroupStatement: {
      vendorName: "AWS",
      name,
      scopeDownStatement,
      ...(counted.length > 0 && { ruleActionOverrides: counted.map((rule) => ({ name: rule, actionToUse: { count: {} } })) }),
    },
  },
});

/**
 * Rules of the common set that only count: one refuses bodies over 8 KB, though a connection's key in PEM form alone may have 20,000
 * characters, and the API has limits of its own; the other refuses clients without a User-Agent, and servers fetch our public keys.
 */
const countedOfCommon = ["SizeRestrictions_BODY", "NoUserAgent_HEADER"];

/**
 * Platforms call from few addresses and post whole transcripts, so their paths are exempt from counting by address and from the
 * common rule set, which reads bodies.
 */
function rules({ signInsPerAddress, requestsPerKey }: Settings["firewall"]): Rule[] {
  const platformPaths = anyOf(platformPathPrefixes().map(pathBegins));
  return [
    managed("AWSManagedRulesAmazonIpReputationList"),
    managed("AWSManagedRulesKnownBadInputsRuleSet"),
    managed("AWSManagedRulesCommonRuleSet", { notStatement: { statement: platformPaths } }, countedOfCommon),
    {
      name: "SignInByAddress",
      managed: false,
      statement: {
        rateBasedStatement: {
          aggregateKeyType: "IP",
          limit: signInsPerAddress,
          evaluationWindowSec: windowSeconds,
          scopeDownStatement: pathBegins("/api/auth/"),
        },
      },
    },
    ...keyHeaders.map((header) => ({
      name: `PlatformBy-${header}`,
      managed: false,
      statement: {
        rateBasedStatement: {
          aggregateKeyType: "CUSTOM_KEYS",
          customKeys: [{ header: { name: header, textTransformations: plain } }],
          limit: requestsPerKey,
          evaluationWindowSec: windowSeconds,
          scopeDownStatement: platformPaths,
        },
      },
    })),
    // Signed requests carry no key, but their path names the voice provider. Paths are not secret, so the address counts too: a third party cannot use up the limit.
    {
      name: "PlatformByHook",
      managed: false,
      statement: {
        rateBasedStatement: {
          aggregateKeyType: "CUSTOM_KEYS",
          customKeys: [{ uriPath: { textTransformations: asRouted } }, { ip: {} }],
          limit: requestsPerKey,
          evaluationWindowSec: windowSeconds,
          scopeDownStatement: anyOf(hookPathPrefixes().map(pathBegins)),
        },
      },
    },
  ];
}

/** The web ACL, and a log of every request without keys and query strings. */
export class Firewall extends Construct {
  readonly arn: string;

  constructor(scope: Construct, id: string, data: DataResources) {
    super(scope, id);
    const { stage } = data.settings;
    const acl = new CfnWebACL(this, "Acl", {
      name: `vitaline-${stage}`,
      scope: "CLOUDFRONT",
      defaultAction: { allow: {} },
      // "All" is reserved. Source: "VisibilityConfig" in the AWS WAF API reference.
      visibilityConfig: visibility(`vitaline-${stage}`),
      rules: rules(data.settings.firewall).map(({ name, statement, managed: byAws }, priority) => ({
        name,
        priority,
        statement,
        visibilityConfig: visibility(name),
        ...(byAws ? { overrideAction: { none: {} } } : { action: { block: {} } }),
      })),
    });
    this.arn = acl.attrArn;
    const name = `aws-waf-logs-vitaline-${stage}`;
    const logs = encryptedLogGroup(this, "Logs", { logGroupName: name, data });
    new CfnLoggingConfiguration(this, "Logging", {
      resourceArn: acl.attrArn,
      // WAF requires the ARN without the ":*" suffix.
      logDestinationConfigs: [Stack.of(this).formatArn({ service: "logs", resource: `log-group:${name}` })],
      // Paths can contain the token of a mailed link, and so can the referer of the next request.
      redactedFields: [
        { queryString: {} },
        { uriPath: {} },
        ...[...keyHeaders, "cookie", "referer"].map((header) => ({ singleHeader: { Name: header } })),
      ],
    }).node.addDependency(logs);
  }
}

/** No sampled requests: they would show keys in the console. */
const visibility = (metricName: string): CfnWebACL.VisibilityConfigProperty => ({
  metricName,
  cloudWatchMetricsEnabled: true,
  sampledRequestsEnabled: false,
});
