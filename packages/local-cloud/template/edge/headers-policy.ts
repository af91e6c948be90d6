import type { HeadersPolicy } from "./distribution-types.ts";
import { StartError } from "../../lib/run.ts";
import { named, type Resources } from "../resources.ts";

type Overriding = { Override: boolean };
type Config = {
  CorsConfig?: unknown;
  ServerTimingHeadersConfig?: unknown;
  SecurityHeadersConfig?: {
    ContentSecurityPolicy?: Overriding & { ContentSecurityPolicy: string };
    ContentTypeOptions?: Overriding;
    FrameOptions?: Overriding & { FrameOption: string };
    ReferrerPolicy?: Overriding & { ReferrerPolicy: string };
    StrictTransportSecurity?: Overriding & { AccessControlMaxAgeSec: number; IncludeSubdomains?: boolean; Preload?: boolean };
    XSSProtection?: Overriding & { Protection: boolean; ModeBlock?: boolean };
  };
  CustomHeadersConfig?: { Items: (Overriding & { Header: string; Value: string })[] };
  RemoveHeadersConfig?: { Items: { Header: string }[] };
};

export function headersPolicyOf(resources: Resources, where: string, id: string | undefined): HeadersPolicy | undefined {
  if (id === undefined) return undefined;
  const policy = named(resources.ofType("AWS::CloudFront::ResponseHeadersPolicy"), id, where);
  const config = policy.properties["ResponseHeadersPolicyConfig"] as unknown as Config;
  if (config.CorsConfig ?? config.ServerTimingHeadersConfig)
    throw new StartError(`${policy.where}: CORS and server timing headers are not understood by the local platform.`);
  const custom = (config.CustomHeadersConfig?.Items ?? []).map(({ Header, Value, Override }) => ({
    name: Header.toLowerCase(),
    value: Value,
    override: Override,
  }));
  return {
    set: [...securityHeaders(config.SecurityHeadersConfig ?? {}), ...custom],
    remove: new Set((config.RemoveHeadersConfig?.Items ?? []).map(({ Header }) => Header.toLowerCase())),
  };
}

function securityHeaders(config: NonNullable<Config["SecurityHeadersConfig"]>): HeadersPolicy["set"] {
  const {
    ContentSecurityPolicy: csp,
    ContentTypeOptions: types,
    FrameOptions: frame,
    ReferrerPolicy: referrer,
    StrictTransportSecurity: hsts,
    XSSProtection: xss,
  } = config;
  const header = (name: string, from: Overriding | undefined, value: string | undefined): HeadersPolicy["set"] =>
    from && value !== undefined ? [{ name, value, override: from.Override }] : [];
  return [
    ...header("content-security-policy", csp, csp?.ContentSecurityPolicy),
    ...header("x-content-type-options", types, "nosniff"),
    ...header("x-frame-options", frame, frame?.FrameOption),
    ...header("referrer-policy", referrer, referrer?.ReferrerPolicy),
    ...header(
      "strict-transport-security",
      hsts,
      hsts &&
        [
          `max-age=${hsts.AccessControlMaxAgeSec}`,
          ...(hsts.IncludeSubdomains ? ["includeSubDomains"] : []),
          ...(hsts.Preload ? ["preload"] : []),
        ].join("; "),
    ),
    ...header("x-xss-protection", xss, xss && (xss.Protection ? `1${xss.ModeBlock ? "; mode=block" : ""}` : "0")),
  ];
}
