export type Encodings = ("br" | "gzip")[];

/** What of a viewer's request goes on to the origin, beside its path and body. */
export type Forwarding = { headers: "all" | Set<string> | { except: Set<string> }; cookies: boolean; query: boolean };

/** Headers that CloudFront puts on every answer of a behaviour. */
export type HeadersPolicy = { set: { name: string; value: string; override: boolean }[]; remove: Set<string> };

export type EdgeFunctionSpec = { name: string; code: string };

export type OriginSpec = {
  kind: "api" | "bucket";
  /** The API's id or the bucket's name. */
  target: string;
  pathPrefix: string;
  customHeaders: Record<string, string>;
};

export type BehaviorSpec = {
  /** Undefined: the default behaviour. */
  pathPattern?: string;
  origin: OriginSpec;
  allowedMethods: Set<string>;
  /** What a compressing behaviour may use; empty when it does not compress. */
  encodings: Encodings;
  forwarding: Forwarding[];
  viewerRequest?: EdgeFunctionSpec;
  viewerResponse?: EdgeFunctionSpec;
  responseHeaders?: HeadersPolicy;
};

/** A CloudFront distribution; its behaviours in order of precedence, the default one last. */
export type DistributionSpec = { id: string; domainName: string; defaultRootObject?: string; behaviors: BehaviorSpec[] };
