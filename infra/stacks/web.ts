import { CfnOutput, CfnParameter, Duration, RemovalPolicy, Stack, type App } from "aws-cdk-lib";
import { Certificate } from "aws-cdk-lib/aws-certificatemanager";
import {
  AccessLevel,
  AllowedMethods,
  CacheCookieBehavior,
  CacheHeaderBehavior,
  CachePolicy,
  CacheQueryStringBehavior,
  Distribution,
  FunctionEventType,
  HttpVersion,
  OriginProtocolPolicy,
  OriginRequestPolicy,
  OriginSslPolicy,
  PriceClass,
  SecurityPolicyProtocol,
  ViewerProtocolPolicy,
  type BehaviorOptions,
} from "aws-cdk-lib/aws-cloudfront";
import { HttpOrigin, S3BucketOrigin } from "aws-cdk-lib/aws-cloudfront-origins";
import { Metric } from "aws-cdk-lib/aws-cloudwatch";
import { AaaaRecord, ARecord, HostedZone, RecordTarget } from "aws-cdk-lib/aws-route53";
import { CloudFrontTarget } from "aws-cdk-lib/aws-route53-targets";
import { BlockPublicAccess, Bucket, BucketEncryption, ObjectOwnership } from "aws-cdk-lib/aws-s3";
import { acknowledge } from "../constructs/acknowledge.ts";
import { alarmOn } from "../constructs/monitoring/alarm.ts";
import { pageFunction, viewerFunction } from "../constructs/edge-functions.ts";
import { Firewall } from "../constructs/firewall.ts";
import { apiHeaders, siteHeaders } from "../constructs/security-headers.ts";
import { publishSite } from "../constructs/site-deployment.ts";
import { apiRoots } from "../config/functions.ts";
import type { Site } from "../assets/site.ts";
import { stackProps } from "../config/settings.ts";
import type { RoutesStack } from "./routes.ts";
import type { DataResources } from "../resources/data-resources.ts";

/** CloudFront with its firewall, in front of the site and the API. */
export class WebStack extends Stack {
  readonly distribution: Distribution;
  /** What clients ask. */
  readonly origin: string;

  constructor(app: App, { data, routes, site }: { data: DataResources; routes: RoutesStack; site: Site }) {
    const { settings } = data;
    super(app, `vitaline-${settings.stage}-web`, { ...stackProps(settings), description: "Vitaline: CloudFront, firewall and site" });
    const bucket = this.#siteBucket(data);
    const { domain, certificateArn } = settings;
    this.distribution = new Distribution(this, "Distribution", {
      comment: `Vitaline ${settings.stage}`,
      ...(domain &&
        certificateArn && {
          domainNames: [domain],
          certificate: Certificate.fromCertificateArn(this, "Certificate", certificateArn),
          minimumProtocolVersion: SecurityPolicyProtocol.TLS_V1_2_2021,
        }),
      httpVersion: HttpVersion.HTTP2_AND_3,
      priceClass: PriceClass.PRICE_CLASS_100,
      webAclId: new Firewall(this, "Firewall", data).arn,
      ...this.#behaviors(bucket, routes, { data, site }),
    });
    publishSite(this, { bucket, site, data });
    this.#addDnsRecords(settings.domain, settings.hostedZone);
    this.#acknowledgeFindings(domain !== undefined);
    alarmOn(this, "ServerErrors", {
      data,
      description: "CloudFront answers 5xx to more than one request in twenty",
      metric: new Metric({
        namespace: "AWS/CloudFront",
        metricName: "5xxErrorRate",
        statistic: "Average",
        period: Duration.minutes(5),
        dimensionsMap: { DistributionId: this.distribution.distributionId, Region: "Global" },
      }),
      threshold: 5,
      periods: 2,
    });
    this.origin = `https://${domain ?? this.distribution.distributionDomainName}`;
    new CfnOutput(this, "Url", { value: this.origin });
  }

  /** No errorResponses: they would replace the API's error bodies too. */
  #behaviors(
    bucket: Bucket,
    routes: RoutesStack,
    { data, site }: { data: DataResources; site: Site },
  ): { defaultBehavior: BehaviorOptions; additionalBehaviors: Record<string, BehaviorOptions> } {
    const files = S3BucketOrigin.withOriginAccessControl(bucket, { originAccessLevels: [AccessLevel.READ, AccessLevel.LIST] });
    const headers = siteHeaders(this, site, data.settings.demoSchedulingUrl);
    const siteBehavior: BehaviorOptions = {
      origin: files,
      cachePolicy: CachePolicy.CACHING_OPTIMIZED,
      responseHeadersPolicy: headers,
      viewerProtocolPolicy: ViewerProtocolPolicy.REDIRECT_TO_HTTPS,
      allowedMethods: AllowedMethods.ALLOW_GET_HEAD,
    };
    const apiBehavior: BehaviorOptions = {
      origin: new HttpOrigin(`${routes.http.api.apiId}.execute-api.${this.region}.${this.urlSuffix}`, {
        protocolPolicy: OriginProtocolPolicy.HTTPS_ONLY,
        originSslProtocols: [OriginSslPolicy.TLS_V1_2],
        customHeaders: { "x-vitaline-edge": this.#edgeSecret(data) },
      }),
      cachePolicy: CachePolicy.CACHING_DISABLED,
      // API Gateway accepts only its own host name.
      originRequestPolicy: OriginRequestPolicy.ALL_VIEWER_EXCEPT_HOST_HEADER,
      responseHeadersPolicy: apiHeaders(this),
      viewerProtocolPolicy: ViewerProtocolPolicy.HTTPS_ONLY,
      allowedMethods: AllowedMethods.ALLOW_ALL,
      functionAssociations: [{ eventType: FunctionEventType.VIEWER_REQUEST, function: viewerFunction(this) }],
    };
    const cachedApiBehavior = { ...apiBehavior, cachePolicy: this.#originCachePolicy() };
    return {
      defaultBehavior: {
        ...siteBehavior,
        // The page function answers other methods than GET and HEAD, so none reaches the bucket.
        allowedMethods: AllowedMethods.ALLOW_ALL,
        functionAssociations: [{ eventType: FunctionEventType.VIEWER_REQUEST, function: pageFunction(this, site) }],
      },
      additionalBehaviors: {
        // Asset names contain a content hash. Unknown ones get 404 from S3.
        "/assets/*": siteBehavior,
        ...Object.fromEntries(apiRoots().map((root) => [`${root}/*`, root === "/.well-known" ? cachedApiBehavior : apiBehavior])),
      },
    };
  }

  /**
   * A dynamic reference, so that no template contains the value. CloudFormation resolves it only where it updates the distribution, so
   * the version is pinned by a parameter, which npm run rotate changes and deployments keep. None: the current version.
   */
  #edgeSecret({ appSecrets: { edge } }: DataResources): string {
    const version = new CfnParameter(this, "EdgeVersion", { default: "", description: "Version of the edge secret that is sent" });
    return `{{resolve:secretsmanager:${edge.secretArn}:SecretString:value::${version.valueAsString}}}`;
  }

  /** Follows Cache-Control, up to one hour. */
  #originCachePolicy(): CachePolicy {
    return new CachePolicy(this, "AsTold", {
      comment: "As long as Cache-Control says",
      minTtl: Duration.seconds(0),
      defaultTtl: Duration.seconds(0),
      maxTtl: Duration.hours(1),
      headerBehavior: CacheHeaderBehavior.none(),
      cookieBehavior: CacheCookieBehavior.none(),
      queryStringBehavior: CacheQueryStringBehavior.none(),
      enableAcceptEncodingGzip: true,
      enableAcceptEncodingBrotli: true,
    });
  }

  #siteBucket(data: DataResources): Bucket {
    const bucket = new Bucket(this, "Site", {
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
      encryption: BucketEncryption.S3_MANAGED,
      enforceSSL: true,
      minimumTLSVersion: 1.2,
      versioned: true,
      serverAccessLogsBucket: data.accessLogs,
      serverAccessLogsPrefix: "site/",
      lifecycleRules: [{ noncurrentVersionExpiration: Duration.days(35) }],
      removalPolicy: RemovalPolicy.DESTROY,
      autoDeleteObjects: true,
    });
    acknowledge(bucket, {
      "HIPAA.Security-S3BucketReplicationEnabled":
        "The published site is built from the repository at every deployment, which is its copy.",
      "HIPAA.Security-S3DefaultEncryptionKMS":
        "The published site is public by purpose; SSE-S3 encrypts it, and only this distribution may read the bucket.",
    });
    return bucket;
  }

  #addDnsRecords(domain: string | undefined, zone: { id: string; name: string } | undefined): void {
    if (!domain || !zone) return;
    const hostedZone = HostedZone.fromHostedZoneAttributes(this, "Zone", { hostedZoneId: zone.id, zoneName: zone.name });
    const record = { zone: hostedZone, recordName: `${domain}.`, target: RecordTarget.fromAlias(new CloudFrontTarget(this.distribution)) };
    new ARecord(this, "Ipv4", record);
    new AaaaRecord(this, "Ipv6", record);
  }

  #acknowledgeFindings(hasDomain: boolean): void {
    acknowledge(this.distribution, {
      "AwsSolutions-CFR1":
        "Staff sign in from wherever they are, and voice platforms call from where their machines stand; sessions, keys and the firewall's rate rules hold instead of borders.",
      "AwsSolutions-CFR3":
        "The firewall logs every request, without keys and query strings; CloudFront's own log would write query strings down.",
      ...(hasDomain
        ? {}
        : {
            "AwsSolutions-CFR4":
              "Without a domain there is only CloudFront's own certificate, whose policy cannot be chosen; a stage with a domain demands TLS 1.2, and production demands a domain.",
          }),
      "@aws-cdk/aws-cloudfront-origins:listBucketSecurityRisk":
        "No request reaches the bucket's root: the page function answers it with a page. The right to list turns S3's 403 for an unknown asset into 404.",
    });
  }
}
