import { AwsError } from "../http/respond.ts";

/**
 * Decodes `Content-Encoding: aws-chunked`: `<hex size>[;extension]\r\n<data>\r\n`, ended by a chunk of size 0 and trailing headers.
 * Source: "Signature calculations: transferring payload in multiple chunks" in the S3 API reference.
 */
export async function* decodeAwsChunked(body: AsyncIterable<Buffer>, trailers: Map<string, string>): AsyncGenerator<Buffer> {
  const reader = createReader(body);
  for (;;) {
    const line = await reader.line();
    const size = /^[0-9a-fA-F]+/.exec(line)?.[0];
    if (size === undefined) throw broken();
    let left = Number.parseInt(size, 16);
    if (left === 0) break;
    while (left > 0) {
      const piece = await reader.some(left);
      left -= piece.length;
      yield piece;
    }
    if ((await reader.line()) !== "") throw broken();
  }
  for (let line = await reader.line(); line !== ""; line = await reader.line()) {
    const at = line.indexOf(":");
    trailers.set(line.slice(0, at).toLowerCase(), line.slice(at + 1).trim());
  }
}

function createReader(body: AsyncIterable<Buffer>) {
  const source = body[Symbol.asyncIterator]();
  let buffer: Buffer = Buffer.alloc(0);
  let ended = false;
  const more = async () => {
    const { value, done } = await source.next();
    if (done) ended = true;
    else buffer = buffer.length > 0 ? Buffer.concat([buffer, value]) : value;
  };
  return {
    async line(): Promise<string> {
      let at = buffer.indexOf("\r\n");
      for (; at < 0 && !ended; at = buffer.indexOf("\r\n")) await more();
      if (at < 0) return take(buffer.length).toString();
      const line = take(at).toString();
      take(2);
      return line;
    },
    async some(max: number): Promise<Buffer> {
      while (buffer.length === 0 && !ended) await more();
      if (buffer.length === 0) throw broken();
      return take(Math.min(max, buffer.length));
    },
  };
  function take(length: number): Buffer {
    const taken = buffer.subarray(0, length);
    buffer = buffer.subarray(length);
    return taken;
  }
}

function broken(): AwsError {
  return new AwsError(400, "IncompleteBody", "You did not provide the number of bytes specified by the Content-Length HTTP header.");
}
