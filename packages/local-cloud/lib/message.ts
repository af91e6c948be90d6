export type HttpRequest = {
  method: string;
  path: string;
  query: string;
  headers: [name: string, value: string][];
  body: Buffer;
  sourceIp: string;
};

export type HttpResponse = { status: number; headers: [name: string, value: string][]; body: Buffer };

/** Joins repeated headers as RFC 9110 defines; undefined for an absent header. */
export function headerOf(headers: [string, string][], name: string): string | undefined {
  const values = headers.filter(([key]) => key === name).map(([, value]) => value);
  return values.length > 0 ? values.join(name === "cookie" ? "; " : ", ") : undefined;
}

export const withHeaders = (headers: [string, string][], set: Record<string, string>): [string, string][] => [
  ...headers.filter(([name]) => !(name in set)),
  ...Object.entries(set),
];

/** Guards against DNS rebinding: such a page still sends its own host name. */
export const isLoopbackHost = (host: string): boolean => /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/.test(host);

export const jsonResponse = (status: number, body: object): HttpResponse => ({
  status,
  headers: [["content-type", "application/json"]],
  body: Buffer.from(JSON.stringify(body)),
});
