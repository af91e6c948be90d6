export const platformNames = ["vapi", "retellai", "elevenlabs", "openai"] as const;
export type PlatformName = (typeof platformNames)[number];

export const basePaths: Readonly<Record<PlatformName, string>> = {
  vapi: "/vapi",
  retellai: "/retell",
  elevenlabs: "/elevenlabs",
  openai: "/openai/v1",
};

/** `path` is the full request path; `route` follows the base path, without the query. */
export type PlatformRequest = { platform: PlatformName; method: string; path: string; key: string; body: string };
export type Call = PlatformRequest & { route: string; query: URLSearchParams };

export type Reply = { status: number; headers?: Record<string, string>; body?: unknown };

/** Sources: the error types of the official SDKs, and live answers. */
const errorBodies: Readonly<Record<PlatformName, (status: number, message: string) => object>> = {
  vapi: (statusCode, message) => ({ message, error: "Refused", statusCode }),
  retellai: (_status, message) => ({ status: "error", message }),
  elevenlabs: (status, message) => ({ detail: { status: status === 401 ? "invalid_api_key" : "refused", message } }),
  openai: (_status, message) => ({ error: { message, type: "invalid_request_error", param: null, code: null } }),
};

export const refusal = (platform: PlatformName, status: number, message: string): Reply => ({
  status,
  body: errorBodies[platform](status, message),
});

export const jsonIn = (body: string): unknown => {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
};
