export type Encodings = ("br" | "gzip")[];

export type Forwarding = { headers: "all" | Set<string> | { except: Set<string> }; cookies: boolean; query: boolean };

export type HeadersPolicy = { set: { name: string; value: string; override: boolean }[]; remove: Set<string> };

export type EdgeFunctionSpec = { name: string; code: string };

export type OriginSpec = {
  kind: "api" | "bucket";
  target: string;
  pathPrefix: string;
  customHeaders: Record<string, string>;
};

export type BehaviorSpec = {
  pathPattern?: string;
  origin: OriginSpec;
  allowedMethods: Set<string>;
  encodings: Encodings;
  forwarding: Forwarding[];
  viewerRequest?: EdgeFunctionSpec;
  viewerResponse?: EdgeFunctionSpec;
  responseHeaders?: HeadersPolicy;
};

export type DistributionSpec = { id: string; domainName: string; defaultRootObject?: string; behaviors: BehaviorSpec[] };
