import type { IncomingMessage, ServerResponse } from "node:http";
import type { Aws, StoredMail, StoredText } from "../aws/index.ts";
import { isLoopbackHost } from "../lib/message.ts";

export const outboxPath = "/__local/outbox";

const maxShown = 200;

export type Sent = ({ kind: "email" } & StoredMail) | ({ kind: "sms"; to: string[] } & Omit<StoredText, "to">);

export const sentOf = ({ ses, sms }: { ses: Pick<Aws["ses"], "mails">; sms: Pick<Aws["sms"], "texts"> }): Sent[] =>
  [
    ...ses.mails().map((mail): Sent => ({ kind: "email", ...mail })),
    ...sms.texts().map((text): Sent => ({ ...text, kind: "sms", to: [text.to] })),
  ].toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));

export function serveOutbox(sent: () => Sent[], request: IncomingMessage, response: ServerResponse): boolean {
  const { pathname, searchParams } = new URL(request.url ?? "/", "http://localhost");
  if (pathname !== outboxPath && pathname !== `${outboxPath}.json`) return false;
  const asJson = pathname.endsWith(".json") || searchParams.get("format") === "json";
  const isLocal = isLoopbackHost(request.headers.host ?? "");
  response.writeHead(isLocal ? 200 : 403, {
    "content-type": asJson ? "application/json" : "text/html; charset=utf-8",
    "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'",
    "x-content-type-options": "nosniff",
    "cache-control": "no-store",
  });
  const newestFirst = isLocal ? sent().toReversed() : [];
  response.end(asJson ? JSON.stringify(newestFirst) : pageOf(newestFirst));
  return true;
}

const pageOf = (sent: Sent[]): string => `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Outbox</title>
<style>
body{font:16px/1.5 system-ui;max-width:44rem;margin:2rem auto;padding:0 1rem;color-scheme:light dark}
article{border:1px solid #8888;border-radius:.5rem;padding:1rem;margin:1rem 0}
h2{font-size:1.1rem;margin:0}p{margin:.25rem 0}pre{white-space:pre-wrap;overflow-wrap:anywhere;font:inherit;margin:.75rem 0 0}
details pre{font:.85rem/1.4 ui-monospace,monospace}
</style>
<h1>Outbox</h1>
<p>Email and text messages that this platform sends on your machine are kept here and go nowhere else.</p>
${sent.length === 0 ? "<p>It is empty: nothing has been sent.</p>" : sent.slice(0, maxShown).map(articleOf).join("\n")}
${sent.length > maxShown ? `<p>${sent.length - maxShown} older ones are in <a href="${outboxPath}.json">the list as JSON</a>.</p>` : ""}
</html>
`;

const articleOf = (one: Sent): string => {
  const { at, from, to, fate } = one;
  const isMail = one.kind === "email";
  const receivers = isMail ? [...to, ...one.cc, ...one.bcc] : to;
  const attachments = (isMail && one.attachments) || [];
  return `<article>
<h2>${isMail ? escape(one.subject) : "Text message"}</h2>
<p>To ${escape(receivers.join(", "))}</p>
<p>From ${escape(from)} · <time datetime="${escape(at)}">${escape(at)}</time>${fate ? ` · ${fate}` : ""}</p>
<pre>${linked((isMail ? (one.text ?? one.html) : one.text) ?? "")}</pre>
${attachments.map(attachmentOf).join("\n")}</article>`;
};

const attachmentOf = ({ fileName, contentType, content }: { fileName: string; contentType: string; content: string }): string =>
  `<details><summary>${escape(fileName)} (${escape(contentType)})</summary><pre>${escape(content)}</pre></details>\n`;

const linked = (text: string): string =>
  text
    .split(/(https?:\/\/[^\s<>"']+)/)
    .map((part, at) => (at % 2 === 1 ? `<a href="${escape(part)}">${escape(part)}</a>` : escape(part)))
    .join("");

const escape = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;").replaceAll("'", "&#39;");
