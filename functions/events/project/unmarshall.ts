/** Rows leave the stream in DynamoDB's own JSON, each value under the letter of its type; this is the one place that reads it. */
export const unmarshall = (image: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(image).map(([name, value]) => [name, plain(value)]));

const plain = (value: unknown): unknown => {
  const [type = "", inner] = Object.entries(value as object)[0] ?? [];
  const read = readers[type];
  if (!read) throw new TypeError("Not an attribute value");
  return read(inner);
};

const readers: Readonly<Record<string, (inner: unknown) => unknown>> = {
  S: (text) => text,
  N: Number,
  BOOL: (flag) => flag,
  NULL: () => null,
  B: (base64) => base64,
  SS: (texts) => new Set(texts as string[]),
  NS: (numbers) => new Set((numbers as string[]).map(Number)),
  BS: (blobs) => new Set(blobs as string[]),
  L: (list) => (list as unknown[]).map(plain),
  M: (map) => unmarshall(map as Record<string, unknown>),
};
