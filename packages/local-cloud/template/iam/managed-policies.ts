import type { Encodings, Forwarding } from "../edge/distribution-types.ts";

const both: Encodings = ["br", "gzip"];
const none: Encodings = [];
const forwardNothing: Forwarding = { headers: new Set(), cookies: false, query: false };

/** Source: "Use managed cache policies". */
export const managedCachePolicies: Record<string, { encodings: Encodings; forwarding: Forwarding }> = {
  // CachingDisabled
  "4135ea2d-6df8-44a3-9df3-4b5a84be39ad": { encodings: none, forwarding: forwardNothing },
  // CachingOptimized
  "658327ea-f89d-4fab-a63d-7e88639e58f6": { encodings: both, forwarding: forwardNothing },
  // CachingOptimizedForUncompressedObjects
  "b2884449-e4de-46a7-ac36-70bc7f1ddd6d": { encodings: none, forwarding: forwardNothing },
  // UseOriginCacheControlHeaders
  "83da9c7e-98b4-4e11-a168-04f0df8e2c65": {
    encodings: both,
    forwarding: {
      headers: new Set(["host", "origin", "x-http-method-override", "x-http-method", "x-method-override"]),
      cookies: true,
      query: false,
    },
  },
  // UseOriginCacheControlHeaders-QueryStrings
  "4cc15a8a-d715-48a4-82b8-cc0b614638fe": {
    encodings: both,
    forwarding: {
      headers: new Set(["host", "origin", "x-http-method-override", "x-http-method", "x-method-override"]),
      cookies: true,
      query: true,
    },
  },
};

/** Source: "Use managed origin request policies". */
export const managedOriginRequestPolicies: Record<string, Forwarding> = {
  // AllViewer
  "216adef6-5c7f-47e4-b989-5492eafa07d3": { headers: "all", cookies: true, query: true },
  // AllViewerExceptHostHeader
  "b689b0a8-53d0-40ab-baf2-68738e2966ac": { headers: { except: new Set(["host"]) }, cookies: true, query: true },
  // CORS-S3Origin
  "88a5eaf4-2fd4-4709-b370-b4c650ea3fcf": {
    headers: new Set(["origin", "access-control-request-headers", "access-control-request-method"]),
    cookies: false,
    query: false,
  },
  // UserAgentRefererHeaders
  "acba4595-bd28-49b8-b9fe-13317c0390fa": { headers: new Set(["user-agent", "referer"]), cookies: false, query: false },
};
