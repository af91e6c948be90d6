import { CannotCall } from "../demo-file.ts";

export type Request = { path: string; headers: Readonly<Record<string, string>>; body: unknown };
export type Exchange = Request & { at: Date; ms: number; status: number; answer: unknown };

export type Post = (origin: string, request: Request) => Promise<Exchange>;

export const byKey = (apiKey: string): Record<string, string> => ({ authorization: `Bearer ${apiKey}` });

export const send: Post = async (origin, { path, headers, body }) => {
  const at = new Date();
  const started = performance.now();
  const response = await fetch(origin + path, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  }).catch((cause: unknown) => {
    throw nothingAnswers(origin, cause);
  });
  const answer = jsonOrText(await response.text());
  return { path, headers, body, at, ms: Math.round(performance.now() - started), status: response.status, answer };
};

export const nothingAnswers = (origin: string, cause: unknown): CannotCall =>
  new CannotCall(`Nothing answers at ${origin}: is the platform running? Start it with \`npm start\`.`, { cause });

export const jsonOrText = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

export type Wire = {
  exchanges: Exchange[];
  tell(request: Request): Promise<Exchange>;
};

export function openWire(origin: string, post: Post = send): Wire {
  const exchanges: Exchange[] = [];
  return {
    exchanges,
    async tell(request) {
      const exchange = await post(origin, request);
      exchanges.push(exchange);
      const { path, status, answer } = exchange;
      if (status >= 300) throw new CannotCall(`${path} answered ${status}: ${JSON.stringify(answer)}`, { status, path });
      return exchange;
    },
  };
}
