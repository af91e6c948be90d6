/** The voice platforms that this sandbox speaks like. */
export const platformNames = ["vapi", "retellai", "elevenlabs", "openai"] as const;
export type PlatformName = (typeof platformNames)[number];

/** Where each one's API begins here. */
export const basePaths: Readonly<Record<PlatformName, string>> = {
  vapi: "/vapi",
  retellai: "/retell",
  elevenlabs: "/elevenlabs",
  openai: "/openai/v1",
};

/** One request to a platform. `path` is whole, as it was asked; `route` is what follows the base path, without the query. */
export type Asked = { platform: PlatformName; method: string; path: string; key: string; body: string };
export type Call = Asked & { route: string; query: URLSearchParams };

export type Reply = { status: number; headers?: Record<string, string>; body?: unknown };

/** How each platform words a refusal. Sources: the errors of the official SDKs, and live answers. */
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

/** JSON of a body; undefined for what is none. */
export const jsonIn = (body: string): unknown => {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
};
