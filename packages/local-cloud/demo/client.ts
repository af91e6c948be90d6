import { StartError } from "../lib/run.ts";

type Reply = { status: number; body: unknown };

async function request(origin: string, route: string, { token, body }: { token?: string; body?: object } = {}): Promise<Reply> {
  const [method = "GET", path = ""] = route.split(" ");
  const response = await fetch(`${origin}${path}`, {
    method,
    headers: { ...(token && { authorization: `Bearer ${token}` }), ...(body && { "content-type": "application/json" }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: text ? (JSON.parse(text) as unknown) : undefined };
}

export async function requestOk<T>(origin: string, route: string, options: { token?: string; body?: object } = {}): Promise<T> {
  return wanted<T>(route, await request(origin, route, options));
}

export async function createOnce<T>(origin: string, route: string, options: { token: string; body: object }): Promise<T | undefined> {
  const reply = await request(origin, `POST ${route}`, options);
  return reply.status === 409 ? undefined : wanted<T>(`POST ${route}`, reply);
}

/** undefined for what was deleted. */
export async function updateExisting<T>(origin: string, route: string, options: { token: string; body: object }): Promise<T | undefined> {
  const reply = await request(origin, `PUT ${route}`, options);
  return reply.status === 404 ? undefined : wanted<T>(`PUT ${route}`, reply);
}

function wanted<T>(route: string, { status, body }: Reply): T {
  if (status >= 300)
    throw new StartError(
      `Adding demo data failed: ${route} answered ${status} ${JSON.stringify(body)}. Start again, or without demo data: npm start -- --empty.`,
    );
  return body as T;
}

export async function signIn(origin: string, { email, password }: { email: string; password: string }): Promise<string | undefined> {
  const { status, body } = await request(origin, "POST /api/auth/login", { body: { email, password } });
  return status === 200 ? (body as { token: string }).token : undefined;
}
