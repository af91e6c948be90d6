import { CannotCall } from "./demo-file.ts";

/** One request to the platform, whole, so that it can be sent again. */
export type Request = { path: string; body: unknown };
export type Exchange = Request & { at: Date; ms: number; status: number; answer: unknown };
export type Line = { origin: string; apiKey: string };

/** Sends what a voice platform would send, with the tenant's key. CannotCall when nobody listens there. */
export async function send({ origin, apiKey }: Line, { path, body }: Request): Promise<Exchange> {
  const at = new Date();
  const started = performance.now();
  const response = await fetch(origin + path, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${apiKey}` },
    body: JSON.stringify(body),
  }).catch((cause: unknown) => {
    throw new CannotCall(`Nothing answers at ${origin}: is the platform running? Start it with \`npm start\`.`, { cause });
  });
  const text = await response.text();
  return { path, body, at, ms: Math.round(performance.now() - started), status: response.status, answer: jsonOrText(text) };
}

const jsonOrText = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};
