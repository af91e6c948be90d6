import { Duration } from "aws-cdk-lib";
import { HeadersFrameOption, HeadersReferrerPolicy, ResponseHeadersPolicy } from "aws-cdk-lib/aws-cloudfront";
import type { Construct } from "constructs";
import type { Site } from "../assets/site.ts";

/** SHA-256 of the empty string: emotion inserts empty style elements and adds rules to them. */
const emptyStyle = "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=";

const quoted = (hashes: string[]): string[] => [...new Set(hashes)].map((hash) => `'${hash}'`);

function contentSecurityPolicy({ hashes }: Site, demoSchedulingUrl: string | undefined): string {
  const directives: Record<string, string[]> = {
    "default-src": ["'self'"],
    "script-src": ["'self'", ...quoted(hashes.scripts)],
    "style-src": ["'self'", ...quoted([emptyStyle, ...hashes.styles])],
    "style-src-attr": ["'unsafe-inline'"],
    "img-src": ["'self'", "data:"],
    "font-src": ["'self'"],
    "connect-src": ["'self'"],
    "frame-src": [demoSchedulingUrl ? new URL(demoSchedulingUrl).origin : "'none'"],
    "frame-ancestors": ["'none'"],
    "form-action": ["'self'"],
    "base-uri": ["'none'"],
    "object-src": ["'none'"],
  };
  return Object.entries(directives)
    .map(([name, sources]) => `${name} ${sources.join(" ")}`)
    .join("; ");
}

const commonHeaders = {
  contentTypeOptions: { override: true },
  frameOptions: { frameOption: HeadersFrameOption.DENY, override: true },
  strictTransportSecurity: { accessControlMaxAge: Duration.days(730), includeSubdomains: true, override: true },
};

export const siteHeaders = (scope: Construct, site: Site, demoSchedulingUrl: string | undefined): ResponseHeadersPolicy =>
  new ResponseHeadersPolicy(scope, "SiteHeaders", {
    comment: "Vitaline site",
    securityHeadersBehavior: {
      ...commonHeaders,
      contentSecurityPolicy: { contentSecurityPolicy: contentSecurityPolicy(site, demoSchedulingUrl), override: true },
      referrerPolicy: { referrerPolicy: HeadersReferrerPolicy.STRICT_ORIGIN_WHEN_CROSS_ORIGIN, override: true },
    },
    customHeadersBehavior: {
      customHeaders: [
        { header: "Permissions-Policy", value: "camera=(), geolocation=(), microphone=(), payment=(), usb=()", override: true },
        { header: "Cross-Origin-Opener-Policy", value: "same-origin", override: true },
      ],
    },
  });

/** API answers are never pages. */
export const apiHeaders = (scope: Construct): ResponseHeadersPolicy =>
  new ResponseHeadersPolicy(scope, "ApiHeaders", {
    comment: "Vitaline API",
    securityHeadersBehavior: {
      ...commonHeaders,
      contentSecurityPolicy: { contentSecurityPolicy: "default-src 'none'; frame-ancestors 'none'", override: true },
      referrerPolicy: { referrerPolicy: HeadersReferrerPolicy.NO_REFERRER, override: true },
    },
  });
