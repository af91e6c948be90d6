import { Stack } from "aws-cdk-lib";
import { CfnLoggingConfiguration, CfnWebACL } from "aws-cdk-lib/aws-wafv2";
import { Construct } from "constructs";
import { hookPathPrefixes, platformPathPrefixes } from "../config/route-prefixes.ts";
import type { DataResources } from "../resources/data-resources.ts";
import { encryptedLogGroup } from "./monitoring.ts";

type Statement = CfnWebACL.StatementProperty;
type Rule = { name: string; statement: Statement; managed: boolean };

const windowSeconds = 300;
/** Signing in, from one address: an office behind one router passes, a guesser does not. */
const signInsPerWindow = 300;
/** One tenant's key, or one of its voice providers from one address: all their calls at once, even from a single one, stay far below 20 requests a second. */
const platformRequestsPerWindow = 6000;
/** Where a voice platform may carry a tenant's key. */
const keyHeaders = ["authorization", "x-api-key", "x-vapi-secret"];

const plain = [{ priority: 0, type: "NONE" }];
/** As the router will read it: "/api/%61uth/../auth/login" is a sign-in. */
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
const managed = (name: string, scopeDownStatement?: Statement): Rule => ({
  name,
  managed: true,
  statement: { managedRuleGroupStatement: { vendorName: "AWS", name, scopeDownStatement } },
});

/**
 * All platforms call from a few addresses and post whole transcripts, so on their paths nothing is counted by address alone
 * and no rule on bodies holds: the common rule set stops every body over 8 KB.
 */
function rules(): Rule[] {
  const platformPaths = anyOf(platformPathPrefixes().map(pathBegins));
  return [
    managed("AWSManagedRulesAmazonIpReputationList"),
    managed("AWSManagedRulesKnownBadInputsRuleSet"),
    managed("AWSManagedRulesCommonRuleSet", { notStatement: { statement: platformPaths } }),
    {
      name: "SignInByAddress",
      managed: false,
      statement: {
        rateBasedStatement: {
          aggregateKeyType: "IP",
          limit: signInsPerWindow,
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
          limit: platformRequestsPerWindow,
          evaluationWindowSec: windowSeconds,
          scopeDownStatement: platformPaths,
        },
      },
    })),
    // What is signed carries no key, but its path names the voice provider. A path is no secret: by address, too, so that whoever knows one cannot use up what the platform may send.
    {
      name: "PlatformByHook",
      managed: false,
      statement: {
        rateBasedStatement: {
          aggregateKeyType: "CUSTOM_KEYS",
          customKeys: [{ uriPath: { textTransformations: asRouted } }, { ip: {} }],
          limit: platformRequestsPerWindow,
          evaluationWindowSec: windowSeconds,
          scopeDownStatement: anyOf(hookPathPrefixes().map(pathBegins)),
        },
      },
    },
  ];
}

/** What CloudFront lets through, and a log of every request without keys and query strings. */
export class Firewall extends Construct {
  readonly arn: string;

  constructor(scope: Construct, id: string, data: DataResources) {
    super(scope, id);
    const { stage } = data.settings;
    const acl = new CfnWebACL(this, "Acl", {
      name: `vitaline-${stage}`,
      scope: "CLOUDFRONT",
      defaultAction: { allow: {} },
      visibilityConfig: visibility("All"),
      rules: rules().map(({ name, statement, managed: byAws }, priority) => ({
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
      // WAF wants the group's ARN without the ":*" that CloudWatch puts at its end.
      logDestinationConfigs: [Stack.of(this).formatArn({ service: "logs", resource: `log-group:${name}` })],
      // A path may end in the token of a mailed link, and the page after it sends that as its referer.
      redactedFields: [
        { queryString: {} },
        { uriPath: {} },
        ...[...keyHeaders, "cookie", "referer"].map((header) => ({ singleHeader: { Name: header } })),
      ],
    }).node.addDependency(logs);
  }
}

/** Samples would show whole requests in the console, keys included. */
const visibility = (metricName: string): CfnWebACL.VisibilityConfigProperty => ({
  metricName,
  cloudWatchMetricsEnabled: true,
  sampledRequestsEnabled: false,
});
