/** An HTTP request between the parts of this machine: names of headers in lower case, one entry per header line. */
export type HttpRequest = {
  method: string;
  /** As it was sent, percent-encoded and without the query. */
  path: string;
  /** Without its question mark. */
  query: string;
  headers: [name: string, value: string][];
  body: Buffer;
  /** Address of whoever opened the connection. */
  sourceIp: string;
};

export type HttpResponse = { status: number; headers: [name: string, value: string][]; body: Buffer };

/** All lines of a header joined as RFC 9110 joins them; undefined when there is none. */
export function headerOf(headers: [string, string][], name: string): string | undefined {
  const values = headers.filter(([key]) => key === name).map(([, value]) => value);
  return values.length > 0 ? values.join(name === "cookie" ? "; " : ", ") : undefined;
}

/** The headers without those names, and with the new ones at the end. */
export const withHeaders = (headers: [string, string][], set: Record<string, string>): [string, string][] => [
  ...headers.filter(([name]) => !(name in set)),
  ...Object.entries(set),
];

/** A page of another site that resolves to this machine's address still names its own host. */
export const isLoopbackHost = (host: string): boolean => /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/.test(host);

export const jsonResponse = (status: number, body: object): HttpResponse => ({
  status,
  headers: [["content-type", "application/json"]],
  body: Buffer.from(JSON.stringify(body)),
});
