/** As JSON.parse gives it: what is in it, a test's expectations say. */
export type Json = ReturnType<typeof JSON.parse>;
/** `json` is undefined where the answer is none. */
export type Answer<T> = { status: number; headers: Headers; text: string; json: T };
export type Asking = { token?: string; key?: string; body?: unknown; headers?: Record<string, string> };
export type Api = <T = Json>(method: string, path: string, asking?: Asking) => Promise<Answer<T>>;

/** Asks a route of a platform. `token` is a session's, `key` a tenant's; a body that is text is sent as it is. */
export const apiOf =
  (origin: string): Api =>
  async <T>(method: string, route: string, { token, key, body, headers = {} }: Asking = {}) => {
    const credential = token ?? key;
    const response = await fetch(origin + route, {
      method,
      headers: {
        ...(credential && { authorization: `Bearer ${credential}` }),
        ...(body !== undefined && { "content-type": "application/json" }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, json: jsonIn(text) as T };
  };

const jsonIn = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** Signs in through the public API; fails when these credentials open no session. */
export const tokenFrom =
  (api: Api) =>
  async (email: string, password: string): Promise<string> => {
    const { status, json, text } = await api<{ token: string }>("POST", "/api/auth/login", { body: { email, password } });
    if (status !== 200) throw new Error(`${email} cannot sign in: ${status} ${text}`);
    return json.token;
  };

/** The password that people choose after a first one. */
export const ownPassword = (first: string): string => `my own ${first}`;

/** Signs in with a first password and chooses another; the session that opens. */
export async function chosenPassword(api: Api, login: { email: string; password: string }): Promise<string> {
  const token = await tokenFrom(api)(login.email, login.password);
  const body = { currentPassword: login.password, newPassword: ownPassword(login.password) };
  const { status, json, text } = await api<{ token: string }>("POST", "/api/auth/change-password", { token, body });
  if (status !== 200) throw new Error(`${login.email} cannot change the password: ${status} ${text}`);
  return json.token;
}
