import type { IncomingMessage, ServerResponse } from "node:http";

/** Of this machine alone: no distribution has such a path. */
export const outboxPath = "/__local/outbox";

const page = `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Outbox</title>
<style>body{font:16px/1.5 system-ui;max-width:40rem;margin:2rem auto;padding:0 1rem;color-scheme:light dark}</style>
<h1>Outbox</h1>
<p>E-mail and text messages that this platform sends on your machine are kept here and go nowhere else.</p>
<p>It is empty: nothing has been sent. No part of the platform sends messages yet.</p>
</html>
`;

/** Answers for the outbox's address and leaves everything else alone. */
export function serveOutbox(request: IncomingMessage, response: ServerResponse): boolean {
  if (request.url?.split("?")[0] !== outboxPath) return false;
  response.writeHead(200, {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'",
    "cache-control": "no-store",
  });
  response.end(page);
  return true;
}
