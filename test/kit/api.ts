/** Untyped JSON; the test's expectations check it. */
export type Json = ReturnType<typeof JSON.parse>;
export type Answer<T> = { status: number; headers: Headers; text: string; json: T };
export type Asking = { token?: string; key?: string; body?: unknown; headers?: Record<string, string> };
export type Api = <T = Json>(method: string, path: string, asking?: Asking) => Promise<Answer<T>>;

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

export const tokenFrom =
  (api: Api) =>
  async (email: string, password: string): Promise<string> => {
    const { status, json, text } = await api<{ token: string }>("POST", "/api/auth/login", { body: { email, password } });
    if (status !== 200) throw new Error(`${email} cannot sign in: ${status} ${text}`);
    return json.token;
  };

export const ownPassword = (first: string): string => `my own ${first}`;

export async function chosenPassword(api: Api, login: { email: string; password: string }): Promise<string> {
  const token = await tokenFrom(api)(login.email, login.password);
  const body = { currentPassword: login.password, newPassword: ownPassword(login.password) };
  const { status, json, text } = await api<{ token: string }>("POST", "/api/auth/change-password", { token, body });
  if (status !== 200) throw new Error(`${login.email} cannot change the password: ${status} ${text}`);
  return json.token;
}
