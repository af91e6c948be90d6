import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { headerOf, withHeaders, type HttpRequest, type HttpResponse } from "../lib/message.ts";
import type { Encodings } from "../template/edge/distribution-types.ts";

const compressible =
  /^(text\/|application\/(dash\+xml|eot|font|font-sfnt|javascript|json|opentype|otf|pdf|pkcs7-mime|protobuf|rss\+xml|truetype|ttf|vnd\.apple\.mpegurl|vnd\.mapbox-vector-tile|vnd\.ms-fontobject|wasm|xhtml\+xml|xml|x-font-opentype|x-font-truetype|x-font-ttf|x-httpd-cgi|x-javascript|x-mpegurl|x-opentype|x-otf|x-perl|x-ttf)|font\/(eot|opentype|otf|ttf|x-woff)|image\/(svg\+xml|x-icon)|model\/)/;
const smallestBytes = 1000;
const largestBytes = 10_000_000;

const encoders = {
  br: (body: Buffer) => promisify(brotliCompress)(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  gzip: (body: Buffer) => promisify(gzip)(body),
};

/** Source: "Serve compressed files" in the CloudFront Developer Guide. */
export async function compress(request: HttpRequest, response: HttpResponse, allowed: Encodings): Promise<HttpResponse> {
  const { headers, body, status } = response;
  const accepted = (headerOf(request.headers, "accept-encoding") ?? "").split(",").map((entry) => entry.split(";")[0]?.trim());
  const encoding = allowed.find((one) => accepted.includes(one));
  if (!encoding || ![200, 403, 404].includes(status) || headerOf(headers, "content-encoding")) return response;
  if (!compressible.test(headerOf(headers, "content-type") ?? "") || body.length < smallestBytes || body.length > largestBytes)
    return response;
  const etag = headerOf(headers, "etag");
  return {
    status,
    headers: withHeaders(headers, {
      "content-encoding": encoding,
      vary: "Accept-Encoding",
      ...(etag && { etag: etag.startsWith("W/") ? etag : `W/${etag}` }),
    }),
    body: await encoders[encoding](body),
  };
}
