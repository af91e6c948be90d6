import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { headerOf, type HttpRequest, type HttpResponse } from "../lib/message.ts";
import type { DeploymentSpec } from "../template/deployments.ts";

export type Objects = (key: string) => Promise<{ body: Buffer; headers: Record<string, string> } | undefined>;

const types: Record<string, string> = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".mjs": "text/javascript",
  ".css": "text/css",
  ".json": "application/json",
  ".webmanifest": "application/manifest+json",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".jpg": "image/jpeg",
  ".webp": "image/webp",
  ".ico": "image/x-icon",
  ".txt": "text/plain",
  ".xml": "application/xml",
  ".woff2": "font/woff2",
  ".map": "application/json",
};

export function deployedObjects(deployments: DeploymentSpec[], stored: Objects): Objects {
  return async (key) => {
    for (const deployment of deployments.toReversed()) {
      const inside = key.startsWith(deployment.prefix) ? key.slice(deployment.prefix.length) : undefined;
      if (inside === undefined || !deployment.takes(inside)) continue;
      const file = path.join(deployment.folder, path.normalize(`/${inside}`));
      const body = await readFile(file).catch(() => undefined);
      if (body) return { body, headers: { "content-type": types[path.extname(file)] ?? "binary/octet-stream", ...deployment.headers } };
    }
    return stored(key);
  };
}

const errorXml = (code: string): Buffer => Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code></Error>`);

export async function bucketResponse(request: HttpRequest, objects: Objects): Promise<HttpResponse> {
  const object = await objects(decodeURIComponent(request.path).replace(/^\//, ""));
  const headersOfError: [string, string][] = [["content-type", "application/xml"]];
  if (!object) return { status: 404, headers: headersOfError, body: errorXml("NoSuchKey") };
  if (!["GET", "HEAD"].includes(request.method)) return { status: 405, headers: headersOfError, body: errorXml("MethodNotAllowed") };
  const etag = `"${createHash("md5").update(object.body).digest("hex")}"`;
  const headers: [string, string][] = [...Object.entries(object.headers), ["etag", etag], ["server", "AmazonS3"]];
  const known = (headerOf(request.headers, "if-none-match") ?? "").split(",").map((tag) => tag.trim().replace(/^W\//, ""));
  return known.includes(etag) ? { status: 304, headers, body: Buffer.alloc(0) } : { status: 200, headers, body: object.body };
}
