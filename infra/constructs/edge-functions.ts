import { createHash } from "node:crypto";
import { FunctionCode, Function as EdgeFunction, FunctionRuntime } from "aws-cdk-lib/aws-cloudfront";
import type { Construct } from "constructs";
import type { Site } from "../assets/site.ts";

const limitBytes = 10_240;

const edgeFunction = (scope: Construct, id: string, comment: string, code: string): EdgeFunction => {
  const bytes = Buffer.byteLength(code);
  if (bytes > limitBytes) throw new Error(`The CloudFront function ${id} takes ${bytes} bytes; CloudFront allows ${limitBytes}.`);
  return new EdgeFunction(scope, id, { comment, runtime: FunctionRuntime.JS_2_0, code: FunctionCode.fromInline(code) });
};

/** Sets the viewer's host and address as headers, replacing any sent by the client. */
export const viewerFunction = (scope: Construct): EdgeFunction =>
  edgeFunction(
    scope,
    "Viewer",
    "Names the viewer's host and address to the API",
    `function handler(event) {
  var request = event.request;
  request.headers["x-vitaline-host"] = { value: request.headers.host.value };
  request.headers["x-vitaline-viewer"] = { value: event.viewer.ip };
  return request;
}
`,
  );

const notFoundStyle =
  "body{font:1rem/1.5 system-ui,sans-serif;max-width:32rem;margin:20vh auto;padding:0 1rem;color:#1a202c;background:#fff}a{color:#0f5e5a}small{color:#4a5568}@media(prefers-color-scheme:dark){body{color:#edf2f7;background:#1a202c}a{color:#6ccac4}small{color:#a0aec0}}";
const notFoundPage = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Page Not Found · Vitaline</title><style>${notFoundStyle}</style></head><body><main><p><b>Vitaline</b></p><h1>404 Page Not Found</h1><p>There is no page at this address. Check the address, or go on from here:</p><p><a href="/">Home</a> · <a href="/login">Sign in</a> · <a href="/contact">Contact support</a></p><p><small>For developers: Did you forget to add the page to the router?</small></p></main></body></html>`;
const notFoundHeaders = {
  "content-type": "text/html; charset=utf-8",
  "cache-control": "no-store",
  "content-security-policy": `default-src 'none'; style-src 'sha256-${createHash("sha256").update(notFoundStyle).digest("base64")}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  "strict-transport-security": "max-age=63072000; includeSubDomains",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
};

/** As the API's problems. */
const otherMethodHeaders = {
  "content-type": "application/json; charset=utf-8",
  "cache-control": "no-store",
  "strict-transport-security": notFoundHeaders["strict-transport-security"],
  "x-content-type-options": "nosniff",
};

const edgeHeaders = (headers: Record<string, string>): string =>
  JSON.stringify(Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, { value }])));

/** `/users/:id` is matched by `/users/*`. */
const patternOf = (address: string): string => address.replace(/:[^/]+$/, "*");

/**
 * Rewrites known addresses to their prerendered page or the app shell, and answers all others with 404. Other methods than a page's
 * come from programs, such as a client that tries to register at `/register`: they get the API's 404 or 405.
 * Responses generated at the edge bypass the headers policy, so this one sets its own headers.
 */
export const pageFunction = (scope: Construct, { pages, files }: Site): EdgeFunction =>
  edgeFunction(
    scope,
    "Pages",
    "Serves the page of a known address, and 404 for any other",
    `var files = new Map(${JSON.stringify([...pages.map(({ path, file }) => [patternOf(path), file]), ...files.map((file) => [file, file])])});
function handler(event) {
  var request = event.request;
  var uri = request.uri;
  var address = uri.length > 1 && uri.endsWith("/") ? uri.slice(0, -1) : uri;
  var file = files.get(address) || files.get(address.replace(/[^/]+$/, "*"));
  if (request.method !== "GET" && request.method !== "HEAD") {
    var headers = ${edgeHeaders(otherMethodHeaders)};
    if (file) headers.allow = { value: "GET, HEAD" };
    return {
      statusCode: file ? 405 : 404,
      statusDescription: file ? "Method Not Allowed" : "Not Found",
      headers: headers,
      body: {
        encoding: "text",
        data: JSON.stringify({
          error: file ? "Allowed methods: GET, HEAD." : "This was not found.",
          code: file ? "method_not_allowed" : "not_found",
          requestId: event.context.requestId
        })
      }
    };
  }
  if (file) {
    request.uri = file;
    return request;
  }
  return {
    statusCode: 404,
    statusDescription: "Not Found",
    headers: ${edgeHeaders(notFoundHeaders)},
    body: { encoding: "text", data: ${JSON.stringify(notFoundPage)} }
  };
}
`,
  );
