import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { outboxPath, sentOf, serveOutbox, type Sent } from "./outbox.ts";

type Mail = Extract<Sent, { kind: "email" }>;
const mailOf = (id: string, more: Partial<Mail> = {}): Mail => ({
  kind: "email",
  id,
  at: `2030-01-01T00:00:0${id}.000Z`,
  from: "no-reply@clinic.example",
  to: ["ann@example.com"],
  cc: [],
  bcc: [],
  replyTo: [],
  subject: `mail ${id}`,
  text: "hello",
  ...more,
});
let mails: Sent[] = [];
const server = createServer((asked, response) => {
  if (!serveOutbox(() => mails, asked, response)) response.writeHead(404).end();
});
beforeAll(() => new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve)));
afterAll(() => new Promise((resolve) => server.close(resolve)));

const get = (path: string, host?: string): Promise<{ status: number; type: string; body: string }> =>
  new Promise((resolve, reject) => {
    const { port } = server.address() as AddressInfo;
    request({ host: "127.0.0.1", port, path, agent: false, ...(host && { headers: { host } }) }, (response) => {
      let body = "";
      response.on("data", (chunk: Buffer) => (body += chunk.toString()));
      response.on("end", () => resolve({ status: response.statusCode ?? 0, type: response.headers["content-type"] ?? "", body }));
    })
      .on("error", reject)
      .end();
  });

test("an empty outbox says so; other addresses are left alone", async () => {
  mails = [];
  expect((await get(outboxPath)).body).toContain("It is empty");
  expect((await get("/elsewhere")).status).toBe(404);
});

test("the page and the JSON list the newest first", async () => {
  mails = [mailOf("1"), mailOf("2")];
  const { body, type } = await get(outboxPath);
  expect(type).toContain("text/html");
  expect(body.indexOf("mail 2")).toBeLessThan(body.indexOf("mail 1"));
  for (const path of [`${outboxPath}?format=json`, `${outboxPath}.json`]) {
    const answer = await get(path);
    expect(answer.type).toBe("application/json");
    expect((JSON.parse(answer.body) as Sent[]).map(({ id }) => id)).toEqual(["2", "1"]);
  }
});

test("mail content is shown as text, with web addresses as links", async () => {
  const hostile = `<script>alert(1)</script>"'&`;
  mails = [
    mailOf("1", {
      subject: hostile,
      from: hostile,
      to: [hostile],
      text: `${hostile} http://localhost:8080/reset#t=a&b="onmouseover=x javascript:alert(1)`,
    }),
  ];
  const { body } = await get(outboxPath);
  expect(body).not.toContain("<script>");
  expect(body).toContain("&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;");
  expect(body.match(/<a href="[^"]*"/g)).toEqual(['<a href="http://localhost:8080/reset#t=a&amp;b="']);
});

test("texts and mails are listed in sending order, and attachments can be opened", async () => {
  mails = sentOf({
    ses: {
      mails: () => [
        { ...mailOf("1"), attachments: [{ fileName: "<a>.ics", contentType: "text/calendar", content: "BEGIN:<VCALENDAR>" }] },
        mailOf("3", { fate: "bounced" }),
      ],
    },
    sms: { texts: () => [{ id: "2", at: "2030-01-01T00:00:02.000Z", from: "pool", to: "+16175550142", text: "See you <soon>" }] },
  });
  const listed = JSON.parse((await get(`${outboxPath}.json`)).body) as Sent[];
  expect(listed.map(({ kind, id, to }) => [kind, id, to])).toEqual([
    ["email", "3", ["ann@example.com"]],
    ["sms", "2", ["+16175550142"]],
    ["email", "1", ["ann@example.com"]],
  ]);
  const { body } = await get(outboxPath);
  expect(body).toContain("See you &lt;soon&gt;");
  expect(body).toContain("2030-01-01T00:00:03.000Z</time> · bounced");
  expect(body).toContain("<summary>&lt;a&gt;.ics (text/calendar)</summary><pre>BEGIN:&lt;VCALENDAR&gt;</pre>");
});

test("a page of another site that resolves to this machine cannot read the mail", async () => {
  mails = [mailOf("1")];
  for (const path of [outboxPath, `${outboxPath}.json`]) {
    const { status, body } = await get(path, "evil.example:8080");
    expect(status).toBe(403);
    expect(body).not.toContain("mail 1");
  }
  expect((await get(outboxPath, "localhost:8080")).status).toBe(200);
});
