import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import fc from "fast-check";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { createOutboundFetch, outboundFetch, unqueuedFetch } from "./fetch.ts";
import { allowLoopback, type ResolveAll } from "./target.ts";

const localArn = "arn:aws:lambda:us-east-1:000000000000:function:vitaline-voice";
const realArn = "arn:aws:lambda:us-east-1:123456789012:function:vitaline-voice";

/** A local test server, and the number of requests that reached it. */
let server: Server;
let port = 0;
let reached = 0;
/** Requests that are answered together once there are `gatheredAtOnce`. */
const gathered: (() => void)[] = [];
const gatheredAtOnce = 40;
/** Answers of requests that wait for the test. */
const held: (() => void)[] = [];
beforeAll(async () => {
  server = createServer((request, response) => {
    reached += 1;
    if (request.url === "/redirect") return response.writeHead(302, { Location: "http://169.254.169.254/" }).end();
    if (request.url === "/large") return response.writeHead(200, { "Content-Length": 2 << 20 }).end(Buffer.alloc(2 << 20));
    if (request.url === "/endless") return void setInterval(() => response.write(Buffer.alloc(1 << 16)), 1).unref();
    if (request.url === "/held") return void held.push(() => response.writeHead(200).end("{}"));
    if (request.url === "/silent") return;
    if (request.url === "/unfinished") return void response.writeHead(200).write("[");
    if (request.url === "/gather") {
      gathered.push(() => response.writeHead(204).end());
      if (gathered.length === gatheredAtOnce) gathered.splice(0).forEach((answer) => answer());
      return;
    }
    if (request.url === "/cut") return request.socket.destroy();
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () =>
      response.writeHead(201, { "X-Method": request.method }).end(JSON.stringify({ got: Buffer.concat(chunks).toString() })),
    );
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  port = (server.address() as AddressInfo).port;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
afterEach(() => {
  delete process.env.EGRESS_LOOPBACK_ORIGINS;
  allowLoopback(realArn);
  reached = 0;
});

const openLoopback = (arn = localArn) => {
  process.env.EGRESS_LOOPBACK_ORIGINS = `https://other.example, http://127.0.0.1:${port}`;
  allowLoopback(arn);
};
const codeOf = (call: Promise<unknown>) =>
  call.then(
    () => "answered",
    ({ code, sent }: { code: string; sent: boolean }) => (sent ? `${code} after sending` : code),
  );

describe("supplied URLs", () => {
  it.each([
    ...[
      "https://localhost/",
      "https://LOCALHOST/",
      "https://127.0.0.1/",
      "https://127.1/",
      "https://127.0.1/",
      "https://2130706433/",
      "https://0x7f000001/",
      "https://0x7f.1/",
      "https://0177.0.0.1/",
    ],
    ...[
      "https://017700000001/",
      "https://127.0.0.1./",
      "https://0/",
      "https://0.0.0.0/",
      "https://①②⑦.⓪.⓪.①/",
      "https://127。0。0。1/",
      "https://%31%32%37.0.0.1/",
      "https://[::1]/",
      "https://[::]/",
    ],
    ...[
      "https://[0:0:0:0:0:0:0:1]/",
      "https://[::ffff:127.0.0.1]/",
      "https://[::ffff:7f00:1]/",
      "https://[::127.0.0.1]/",
      "https://[64:ff9b::7f00:1]/",
      "https://[2002:7f00:1::]/",
      "https://[fe80::1]/",
    ],
    ...[
      "https://169.254.169.254/latest/meta-data/",
      "https://[fd00:ec2::254]/",
      "https://10.0.0.1/",
      "https://192.168.0.1/",
      "https://172.16.0.1/",
      "https://100.64.0.1/",
    ],
    ...[
      "https://ehr/",
      "https://ehr./",
      "https://ehr.local/",
      "https://EHR.Local./",
      "https://metadata.google.internal/",
      "https://a.localhost/",
    ],
    ...[
      "http://example.com/",
      "ftp://example.com/",
      "file:///etc/passwd",
      "https://user:secret@example.com/",
      "https://example.com:8443/",
      "https://example.com:22/",
      "https://[fe80::1%25eth0]/",
      "https://[fe80::1%eth0]/",
      "https://[64:ff9b:1::a00:1]/",
      "https://[2001:0:4136:e378:8000:63bf:3fff:fdd2]/",
      "https://168.63.129.16/",
      "https://100.100.100.200/",
      "https://169.254.170.2/v2/credentials",
      "https://0xA9FEA9FE/",
      "https://[::ffff:a9fe:a9fe]/",
      "https://instance-data/latest/",
      "https://instance-data.ec2.internal/",
      "https://metadata.azure.internal./",
      "https://example.com@169.254.169.254/",
      "https://:secret@example.com/",
      "HTTP://example.com/",
      "javascript:alert(1)",
      "nonsense",
      "",
      "https://",
    ],
  ])("refuses %s", async (address) => {
    expect(await codeOf(outboundFetch(address))).toBe("outbound_refused");
  });

  it("refuses ports of non-HTTP services, also in a saved origin", async () => {
    const never = createOutboundFetch(() => expect.unreachable("the name was looked up"));
    for (const port of [22, 25, 3306, 5432, 6379, 9200, 11211]) {
      const saved = `https://ehr.example:${port}`;
      expect(await codeOf(never(`${saved}/`, { registeredOrigin: saved })), String(port)).toBe("outbound_refused");
    }
  });

  it("refuses only our own domain and its subdomains, in every spelling", async () => {
    process.env.PUBLIC_ORIGIN = "https://app.vitaline.example";
    try {
      const none = createOutboundFetch((_, __, done) => setImmediate(done, Object.assign(new Error("none"), { code: "ENOTFOUND" }), []));
      const asked = [
        "app.vitaline.example",
        "APP.Vitaline.Example.",
        "api.app.vitaline.example",
        "vitaline.example",
        "myapp.vitaline.example",
      ];
      const codes = await Promise.all(asked.map((host) => codeOf(none(`https://${host}/`))));
      expect(codes).toEqual([...Array(3).fill("outbound_refused"), ...Array(2).fill("outbound_unreachable")]);
    } finally {
      delete process.env.PUBLIC_ORIGIN;
    }
  });

  it("refuses a name that can never be public without asking DNS", async () => {
    const guarded = createOutboundFetch(() => expect.unreachable("the name was looked up"));
    for (const name of ["localhost", "ehr", "ehr.local", "metadata.google.internal"])
      expect(await codeOf(guarded(`https://${name}/`))).toBe("outbound_refused");
  });

  it("refuses every spelling of a private IPv4 address without asking DNS", async () => {
    const never: ResolveAll = () => expect.unreachable("a literal was looked up");
    const guarded = createOutboundFetch(never);
    const number = (value: number) =>
      fc.constantFrom(String(value), `0x${value.toString(16)}`, `0${value.toString(8)}`, `0X${value.toString(16).toUpperCase()}`);
    const octet = fc.nat(255);
    const address = fc.oneof(
      fc.tuple(fc.constantFrom(0, 10, 127, 224, 240, 255), octet, octet, octet),
      fc.tuple(fc.constant(192), fc.constant(168), octet, octet),
      fc.tuple(fc.constant(169), fc.constant(254), octet, octet),
      fc.tuple(fc.constant(172), fc.integer({ min: 16, max: 31 }), octet, octet),
      fc.tuple(fc.constant(100), fc.integer({ min: 64, max: 127 }), octet, octet),
    );
    const spelling = address.chain(([a, b, c, d]) =>
      fc.oneof(
        fc.tuple(number(a), number(b), number(c), number(d)).map((parts) => parts.join(".")),
        fc.tuple(number(a), number(b), number(c * 256 + d)).map((parts) => parts.join(".")),
        fc.tuple(number(a), number(b * 65_536 + c * 256 + d)).map((parts) => parts.join(".")),
        number(((a * 256 + b) * 256 + c) * 256 + d),
        fc.constant(`[::ffff:${a}.${b}.${c}.${d}]`),
        fc.constant(`[::${a}.${b}.${c}.${d}]`),
      ),
    );
    await fc.assert(
      fc.asyncProperty(spelling, fc.constantFrom("", "."), async (host, dot) => {
        expect(await codeOf(guarded(`https://${host}${host.startsWith("[") ? "" : dot}/`))).toBe("outbound_refused");
      }),
    );
  });

  it("refuses a name when any of its addresses is private, and resolves it again for every connection", async () => {
    const answers = [["93.184.215.14", "127.0.0.1"], ["127.0.0.1"], ["::1"], ["::ffff:127.0.0.1"], ["2606:4700::1111", "fd00::1"]];
    const asked = answers.map((addresses) => addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })));
    const guarded = createOutboundFetch((_, __, done) => setImmediate(done, null, asked.shift() ?? []));
    for (const _ of answers)
      expect(await codeOf(guarded(`https://rebind.example:${port}/`, { registeredOrigin: `https://rebind.example:${port}` }))).toBe(
        "outbound_refused",
      );
    expect([asked.length, reached]).toEqual([0, 0]);
  });

  it("reports a name that does not exist", async () => {
    const guarded = createOutboundFetch((_, __, done) => setImmediate(done, Object.assign(new Error("none"), { code: "ENOTFOUND" }), []));
    expect(await codeOf(guarded("https://nowhere.example/"))).toBe("outbound_unreachable");
  });
});

describe("loopback origins", () => {
  const here = () => `http://127.0.0.1:${port}`;

  it("are reachable when listed and the function runs in the local account", async () => {
    openLoopback();
    const response = await outboundFetch(`${here()}/x`, { method: "POST", body: "hello" });
    expect([response.status, response.headers["x-method"], response.json()]).toEqual([201, "POST", { got: "hello" }]);
  });

  it.each([realArn, "", "000000000000", "arn:aws:lambda:us-east-1:123456789012:function:000000000000", `x${localArn}`])(
    "are refused for the function %j, even when listed",
    async (arn) => {
      openLoopback(arn);
      expect([await codeOf(outboundFetch(here())), reached]).toEqual(["outbound_refused", 0]);
    },
  );

  it("are refused again when the next invocation is in a real account", async () => {
    openLoopback();
    expect(await codeOf(outboundFetch(here()))).toBe("answered");
    allowLoopback(realArn);
    expect(await codeOf(outboundFetch(here()))).toBe("outbound_refused");
  });

  it("are exact: another port, host or scheme is refused, and only this machine can be listed", async () => {
    openLoopback();
    for (const address of [
      `http://127.0.0.1:${port + 1}`,
      `http://localhost:${port}`,
      `https://127.0.0.1:${port}`,
      `http://user@127.0.0.1:${port}`,
    ]) {
      expect(await codeOf(outboundFetch(address)), address).toBe("outbound_refused");
    }
    process.env.EGRESS_LOOPBACK_ORIGINS = "http://10.0.0.1:80,http://169.254.169.254,http://example.com";
    for (const address of ["http://10.0.0.1/", "http://169.254.169.254/", "http://example.com/"])
      expect(await codeOf(outboundFetch(address)), address).toBe("outbound_refused");
    expect(reached).toBe(0);
  });
});

describe("responses", () => {
  const at = (path: string) => {
    openLoopback();
    return `http://127.0.0.1:${port}${path}`;
  };

  it("do not follow redirects, and respect the limits of size and time", async () => {
    expect(await codeOf(outboundFetch(at("/redirect")))).toBe("outbound_redirect after sending");
    expect(await codeOf(outboundFetch(at("/large")))).toBe("outbound_too_large after sending");
    expect(await codeOf(outboundFetch(at("/endless"), { timeoutMs: 20_000 }))).toBe("outbound_too_large after sending");
    expect(await codeOf(outboundFetch(at("/silent"), { timeoutMs: 100 }))).toBe("outbound_timeout after sending");
    expect(await codeOf(outboundFetch(at("/silent"), { signal: AbortSignal.timeout(50) }))).toBe("outbound_timeout after sending");
    expect(await codeOf(outboundFetch(at("/cut")))).toBe("outbound_unreachable after sending");
  });

  it("with statusOnly resolve at the headers, for a body of any length, and do not follow redirects", async () => {
    for (const [path, status] of [
      ["/large", 200],
      ["/endless", 200],
      ["/unfinished", 200],
      ["/", 201],
    ] as const) {
      const answer = await outboundFetch(at(path), { statusOnly: true, timeoutMs: 20_000 });
      expect([answer.status, answer.text()]).toEqual([status, ""]);
    }
    expect(await codeOf(outboundFetch(at("/redirect"), { statusOnly: true }))).toBe("outbound_redirect after sending");
  });

  it("are not requested when no time is left", async () => {
    expect(await codeOf(outboundFetch(at("/"), { timeoutMs: 0 }))).toBe("outbound_timeout");
    expect(await codeOf(outboundFetch(at("/"), { signal: AbortSignal.abort() }))).toBe("outbound_timeout");
    expect(reached).toBe(0);
  });

  it("report that nothing was sent when the port is closed", async () => {
    process.env.EGRESS_LOOPBACK_ORIGINS = "http://127.0.0.1:9";
    allowLoopback(localArn);
    expect(await codeOf(outboundFetch("http://127.0.0.1:9/"))).toBe("outbound_unreachable");
  });

  it("do not reveal the address in an error", async () => {
    const error = await outboundFetch("https://10.0.0.1/Patient?name=Secret").catch((thrown: Error) => thrown);
    expect(String(error)).not.toMatch(/Secret|10\.0\.0\.1/);
  });
});

it("a queued request is sent once a socket is free, and counts as sent when it is cut off", async () => {
  openLoopback();
  const cutOff = new AbortController();
  const ask = (signal?: AbortSignal) =>
    codeOf(outboundFetch(`http://127.0.0.1:${port}/held`, { method: "POST", body: "{}", timeoutMs: 20_000, signal }));
  const first = Array.from({ length: 10 }, () => ask());
  const queued = Array.from({ length: 4 }, () => ask(cutOff.signal));
  await expect.poll(() => held.length).toBe(10);
  held.splice(0).forEach((answer) => answer());
  await expect.poll(() => held.length).toBe(4);
  cutOff.abort();
  expect(new Set(await Promise.all(first))).toEqual(new Set(["answered"]));
  expect(new Set(await Promise.all(queued))).toEqual(new Set(["outbound_timeout after sending"]));
});

it("an unqueued request is sent at once, also with many others to the same origin", async () => {
  openLoopback();
  const ask = () => unqueuedFetch(`http://127.0.0.1:${port}/gather`, { method: "POST", body: "{}", timeoutMs: 20_000 });
  const answers = await Promise.all(Array.from({ length: gatheredAtOnce }, ask));
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: gatheredAtOnce }, () => 204));
});
