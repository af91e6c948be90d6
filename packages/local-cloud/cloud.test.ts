import { statSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { InvokeCommand, LambdaClient, type InvocationType } from "@aws-sdk/client-lambda";
import { PinpointSMSVoiceV2Client, SendTextMessageCommand } from "@aws-sdk/client-pinpoint-sms-voice-v2";
import { SendEmailCommand, SESv2Client } from "@aws-sdk/client-sesv2";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { startCloud, type Cloud, type CloudOptions } from "./cloud.ts";
import { synthesizeFixture } from "./fixtures/app.ts";
import { openLogs, type Logs } from "./lambda/logs.ts";
import type { Template } from "./template/assembly.ts";

let folder: string;
let assembly: string;
let logs: Logs;
let cloud: Cloud;

const start = (options: Partial<CloudOptions> = {}): Promise<Cloud> => startCloud({ assembly, port: 0, awsPort: 0, logs, ...options });

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "local-cloud-"));
  assembly = await synthesizeFixture(folder);
  logs = openLogs(path.join(folder, "logs"));
  cloud = await start({ dataDir: path.join(folder, "data") });
}, 120_000);

afterAll(async () => {
  await cloud?.close();
  await logs?.close();
  await rm(folder, { recursive: true, force: true });
});

const call = (route: string, init: RequestInit = {}, at = cloud): Promise<Response> => {
  const [method = "GET", target = "/"] = route.split(" ");
  return fetch(`${at.origin}${target}`, { method, ...init });
};
const bodyOf = async <T>(response: Response): Promise<T> => (await response.json()) as T;
const put = (id: string, at = cloud): Promise<Response> => call(`PUT /api/things/${id}`, {}, at);
const thing = async (id: string, at = cloud): Promise<{ seen: number; seenBySecond: number; tries: number }> =>
  bodyOf(await call(`GET /api/things/${id}`, {}, at));

const withoutType = (type: string) => (template: Template) => {
  for (const [id, { Type }] of Object.entries(template.Resources ?? {})) if (Type === type) delete template.Resources?.[id];
};

describe("a request through the edge", () => {
  test("reaches the function with path parameters, the viewer's address and the origin's secret header", async () => {
    const event = await bodyOf<{ headers: Record<string, string>; rawPath: string; requestContext: { domainName: string } }>(
      await call("POST /api/anything", { headers: { "x-edge": "forged", "x-viewer": "10.9.8.7" } }),
    );
    expect(event.headers["x-edge"]).toMatch(/^[A-Za-z0-9]{40}$/);
    expect(event.headers["x-viewer"]).toBe("127.0.0.1");
    expect(event.headers["x-viewer-host"]).toBe(new URL(cloud.origin).host);
    expect(event.headers["host"]).toBe(event.requestContext.domainName);
  });

  test("gives the function the same secret in its environment, and nothing of this process's own", async () => {
    const { names, secret } = await bodyOf<{ names: string[]; secret: string }>(await call("GET /api/environment"));
    const event = await bodyOf<{ headers: Record<string, string> }>(await call("GET /api/unknown"));
    expect(secret).toBe(event.headers["x-edge"]);
    expect(names).toContain("TABLE_NAME");
    expect(names).not.toContain("PATH");
    expect(names).not.toContain("HOME");
  });

  test("carries the declared response headers on API answers and pages alike", async () => {
    for (const route of ["GET /", "GET /api/environment"]) {
      const { headers } = await call(route);
      expect(headers.get("content-security-policy")).toBe("default-src 'self'");
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("strict-transport-security")).toBe("max-age=31536000; includeSubDomains");
    }
  });

  test("resolves pages by the viewer-request function, which answers unknown paths itself", async () => {
    const [page, missing] = [await call("GET /"), await call("GET /nothing")];
    expect([page.status, page.headers.get("content-type")]).toEqual([200, "text/html"]);
    expect([missing.status, await missing.text()]).toEqual([404, "<h1>Not here</h1>"]);
    expect((await call("GET /assets/missing.css")).status).toBe(404);
    expect((await call("POST /")).status).toBe(403);
  });

  test("compresses large files that the viewer can unpack, and answers a known one with 304", async () => {
    const compressed = await call("GET /assets/style.css", { headers: { "accept-encoding": "br" } });
    expect(compressed.headers.get("content-encoding")).toBe("br");
    expect(await compressed.text()).toContain(".row-59");
    const plain = await call("GET /assets/style.css", { headers: { "accept-encoding": "identity" } });
    expect(plain.headers.get("content-encoding")).toBeNull();
    const again = await call("GET /assets/style.css", { headers: { "if-none-match": plain.headers.get("etag") ?? "" } });
    expect(again.status).toBe(304);
  });

  test("is refused by the route's own throttle once its burst is spent", async () => {
    const statuses = await Promise.all(Array.from({ length: 6 }, async () => (await call("GET /api/throttled")).status));
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(2);
    expect(statuses).toContain(429);
  });
});

test("S08: a request with an unknown host is refused, so no mail contains it", async () => {
  const statusAs = async (host: string): Promise<number | undefined> => {
    const { request } = await import("node:http");
    return new Promise((resolve, reject) => {
      const sent = request({ host: "127.0.0.1", port: cloud.http.port, path: "/api/context", headers: { host } }, (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      sent.on("error", reject).end();
    });
  };
  for (const host of ["evil.example", "localhost.evil.example", "192.168.1.7:8080"])
    expect([host, await statusAs(host)]).toEqual([host, 403]);
  for (const host of ["localhost", `127.0.0.1:${cloud.http.port}`, "[::1]:1"]) expect([host, await statusAs(host)]).toEqual([host, 200]);
});

test("a request to the API's own host bypasses the edge and lacks its header", async () => {
  const { port } = cloud.http;
  const event = await bodyOf<{ requestContext: { domainName: string } }>(await call("GET /api/unknown"));
  const { request } = await import("node:http");
  const text = await new Promise<string>((resolve, reject) => {
    const sent = request(
      { host: "127.0.0.1", port, path: "/api/unknown", headers: { host: event.requestContext.domainName } },
      (response) => {
        let body = "";
        response.on("data", (chunk: Buffer) => (body += chunk.toString()));
        response.on("end", () => resolve(body));
      },
    );
    sent.on("error", reject).end();
  });
  const direct = JSON.parse(text) as { headers: Record<string, string>; requestContext: { http: { sourceIp: string } } };
  expect(direct.headers).not.toHaveProperty("x-edge");
  expect(direct.requestContext.http.sourceIp).toBe("127.0.0.1");
});

describe("a function", () => {
  test("is invoked under the account that AWS never issues", async () => {
    const { arn, remainingMs } = await bodyOf<{ arn: string; remainingMs: number }>(await call("GET /api/context"));
    expect(arn).toBe("arn:aws:lambda:us-east-1:000000000000:function:fixture-api");
    expect(remainingMs).toBeLessThanOrEqual(3000);
  });

  test("that outlives its timeout is ended with 503, and the next request starts a new one", async () => {
    expect((await call("POST /api/slow")).status).toBe(503);
    expect((await call("GET /api/context")).status).toBe(200);
  });

  test("that throws, ends its process or answers over 6 MB gives 500 and serves the next request", async () => {
    for (const route of ["POST /api/crash", "POST /api/exit", "GET /api/large"]) expect((await call(route)).status).toBe(500);
    expect((await put("after-crash")).status).toBe(201);
  });

  test("sent a body over 6 MB is not run at all", async () => {
    expect((await call("POST /api/anything", { body: "x".repeat(6.5 * 1024 * 1024) })).status).toBe(413);
  });

  test("that uses the network after its answer is a violation, and the request never arrives", async () => {
    let arrived = 0;
    const elsewhere = createServer((_, response) => {
      arrived += 1;
      response.end();
    });
    await new Promise<void>((resolve) => elsewhere.listen(0, "127.0.0.1", resolve));
    const target = `127.0.0.1:${(elsewhere.address() as AddressInfo).port}`;
    expect((await call("POST /api/linger", { headers: { "x-elsewhere": target } })).status).toBe(202);
    await expect.poll(() => cloud.lambda.violations).toContainEqual({ functionName: "fixture-api", target: `GET http://${target}` });
    elsewhere.close();
    expect(arrived).toBe(0);
    expect((await put("after-violation")).status).toBe(201);
  });

  test("leaves what it printed and why it failed in the log file", async () => {
    await call("POST /api/crash");
    await expect.poll(() => readFile(path.join(folder, "logs", "functions.log"), "utf8")).toContain("crashed on purpose");
  });
});

describe("the stream's consumer", () => {
  test("sees each new row once", async () => {
    await Promise.all(["one", "two", "three"].map((id) => put(id)));
    await cloud.drained();
    for (const id of ["one", "two", "three"]) expect((await thing(id)).seen).toBe(1);
  });

  test("is waited for when another consumer's row reaches it late", async () => {
    await put("both-parent");
    await cloud.drained();
    expect((await thing("child")).seen).toBe(1);
  });

  test("gives up a row that always fails and delivers the others", async () => {
    await Promise.all(["before", "poison", "after"].map((id) => put(id)));
    await cloud.drained();
    for (const id of ["before", "after"]) expect((await thing(id)).seen).toBe(1);
    const queue = await readFile(path.join(folder, "data", "queues", "fixture-failures.jsonl"), "utf8");
    expect(
      queue
        .trim()
        .split("\n")
        .map((line) => (JSON.parse(line) as { requestContext: { condition: string } }).requestContext.condition),
    ).toEqual(["RetryAttemptsExhausted"]);
    expect(queue).not.toContain("poison");
  });

  test("gets rows written during downtime after a restart", async () => {
    const dataDir = path.join(folder, "restarted");
    const deaf = await start({ dataDir, mutateTemplate: withoutType("AWS::Lambda::EventSourceMapping") });
    expect((await put("late", deaf)).status).toBe(201);
    await deaf.close();
    const whole = await start({ dataDir });
    await whole.drained();
    expect((await thing("late", whole)).seen).toBe(1);
    await whole.close();
  });

  test("has its own filter and position, also after a restart", async () => {
    const dataDir = path.join(folder, "two-consumers");
    const isSecond = (properties: object = {}): boolean => JSON.stringify(properties).includes("THING#both-");
    const withoutSecond = (template: Template): void => {
      for (const [id, { Type, Properties }] of Object.entries(template.Resources ?? {}))
        if (Type === "AWS::Lambda::EventSourceMapping" && isSecond(Properties)) delete template.Resources?.[id];
    };
    const alone = await start({ dataDir, mutateTemplate: withoutSecond });
    await Promise.all(["both-one", "only-first"].map((id) => put(id, alone)));
    await alone.drained();
    expect(await thing("both-one", alone)).toMatchObject({ seen: 1, seenBySecond: 0 });
    await alone.close();
    const both = await start({ dataDir });
    await put("both-two", both);
    await both.drained();
    for (const id of ["both-one", "both-two"]) expect(await thing(id, both)).toMatchObject({ seen: 1, seenBySecond: 1 });
    expect(await thing("only-first", both)).toMatchObject({ seen: 1, seenBySecond: 0 });
    await both.close();
  });

  test("also runs on its schedules", async () => {
    for (const name of ["consumer", "second"]) await expect(cloud.runScheduled(name)).resolves.toBeUndefined();
    await expect(cloud.runScheduled("missing")).rejects.toThrow("No schedule");
    await expect(cloud.catchUp()).resolves.toBeUndefined();
  });
});

describe("a topic", () => {
  test("starts its function with events of mail and text messages", async () => {
    const { accessKeyId, secretAccessKey } = cloud.operator;
    const config = { endpoint: cloud.aws.url, region: cloud.region, credentials: { accessKeyId, secretAccessKey } };
    const [ses, sms] = [new SESv2Client(config), new PinpointSMSVoiceV2Client(config)];
    await ses.send(
      new SendEmailCommand({
        FromEmailAddress: "no-reply@clinic.example",
        Destination: { ToAddresses: ["ann@example.com"] },
        Content: { Simple: { Subject: { Data: "a" }, Body: { Text: { Data: "x" } } } },
        ConfigurationSetName: "told",
        EmailTags: [{ Name: "thing", Value: "mailed" }],
      }),
    );
    const text = { DestinationPhoneNumber: "+16175550142", OriginationIdentity: "pool", MessageBody: "x", Context: { thing: "texted" } };
    await sms.send(new SendTextMessageCommand({ ...text, ConfigurationSetName: "told" }));
    await sms.send(new SendTextMessageCommand(text));
    await cloud.drained();
    expect([(await thing("mailed")).tries, (await thing("texted")).tries]).toEqual([1, 1]);
    for (const client of [ses, sms]) client.destroy();
  });
});

describe("an alarm", () => {
  let minutes = 0;
  let watched: Cloud;
  afterEach(() => watched?.close());
  const watch = async (dataDir: string, options: Partial<CloudOptions> = {}): Promise<void> => {
    watched = await start({
      dataDir: path.join(folder, dataDir),
      clock: () => Date.now() + minutes * 60_000,
      evaluatesAlarms: false,
      ...options,
    });
  };

  /** What alarms tell of after one more minute; then time passes until they are over. */
  const told = async (): Promise<(string | undefined)[]> => {
    await watched.drained();
    const before = watched.aws.ses.mails().length;
    minutes += 1;
    watched.monitoring.evaluate();
    const mails = watched.aws.ses.mails().slice(before);
    minutes += 20;
    watched.monitoring.evaluate();
    await watched.drained();
    return mails.map(({ subject, to }) => (to[0] === "operator@clinic.example" ? /^ALARM: "fixture-(.*)"/.exec(subject)?.[1] : undefined));
  };
  const api = () => watched.functions.find(({ name }) => name === "fixture-api")!;

  test("is told of what really happened to functions, the API and the table, and of nothing else", async () => {
    let throttled = 0;
    const slowDown = { status: 400, code: "ProvisionedThroughputExceededException", message: "slow down" };
    await watch("alarms", { fault: ({ operation }) => (operation === "PutItem" && throttled-- > 0 ? slowDown : undefined) });
    await put("fine", watched);
    expect(await told()).toEqual([]);
    expect((await call("POST /api/crash", {}, watched)).status).toBe(500);
    expect(await told()).toEqual(["errors", "server-errors"]);
    api().reservedConcurrency = 0;
    await call("GET /api/context", {}, watched);
    api().reservedConcurrency = undefined;
    expect(await told()).toEqual(["throttles", "server-errors"]);
    throttled = 1;
    await put("slowed", watched);
    expect(await told()).toEqual(["table-throttles"]);
    expect(watched.monitoring.refused).toEqual([]);
  });

  test("is told of a row that waited for its consumer, and of one that was given up", async () => {
    await watch("late", { mutateTemplate: withoutType("AWS::Lambda::EventSourceMapping") });
    await put("waits", watched);
    await watched.close();
    minutes += 5;
    await watch("late");
    expect(await told()).toEqual(["age"]);
    await put("poison", watched);
    expect(await told()).toEqual(["failures"]);
  });

  test("is told of an invocation that took long", async () => {
    await watch("slow");
    await watched.lambda.invoke(api().arn, { routeKey: "GET /api/context" });
    const slow = watched.lambda.invoke(api().arn, { routeKey: "POST /api/slow" });
    // The environment is running, so the handler starts within this turn
    await new Promise(setImmediate);
    minutes += 5;
    await slow;
    expect(await told()).toEqual(["errors", "duration"]);
  });
});

describe("the Lambda API", () => {
  const asFunctions: LambdaClient[] = [];
  afterAll(() => asFunctions.forEach((client) => client.destroy()));
  const client = (at: Cloud, credentials: { accessKeyId: string; secretAccessKey: string } = at.operator): LambdaClient => {
    const made = new LambdaClient({ endpoint: at.aws.url, region: at.region, credentials, maxAttempts: 1 });
    asFunctions.push(made);
    return made;
  };
  const invoke = (payload: object, { at = cloud, name = "fixture-consumer", type = "Event" as InvocationType, by = client(at) } = {}) =>
    by.send(new InvokeCommand({ FunctionName: name, InvocationType: type, Payload: JSON.stringify(payload) }));
  const failed = async (dataDir: string): Promise<{ requestContext: object; requestPayload?: { name: string } }[]> =>
    (await readFile(path.join(dataDir, "queues", "fixture-failures.jsonl"), "utf8"))
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { requestContext: object });

  test("answers with the function's result or error", async () => {
    const type = "RequestResponse" as const;
    const good = await invoke({ name: "asked" }, { type });
    expect([good.StatusCode, JSON.parse(good.Payload!.transformToString()), good.FunctionError]).toEqual([200, { tries: 1 }, undefined]);
    const bad = await invoke(
      { name: "asked-in-vain", failures: 9 },
      { type, name: "arn:aws:lambda:us-east-1:000000000000:function:fixture-second" },
    );
    expect([bad.StatusCode, bad.FunctionError]).toEqual([200, "Unhandled"]);
    expect(JSON.parse(bad.Payload!.transformToString())).toMatchObject({ errorMessage: "Error: not yet" });
  });

  test("requires the permission to invoke that function", async () => {
    const [poor] = cloud.functions;
    await expect(invoke({ name: "denied" }, { by: client(cloud, poor!) })).rejects.toMatchObject({
      name: "AccessDeniedException",
      $metadata: { httpStatusCode: 403 },
    });
    await expect(invoke({ name: "missing" }, { name: "fixture-missing" })).rejects.toMatchObject({ name: "ResourceNotFoundException" });
  });

  test("accepts an asynchronous event at once and runs it later", async () => {
    expect((await invoke({ name: "later", ms: 50 })).StatusCode).toBe(202);
    await cloud.drained();
    expect((await thing("later")).tries).toBe(1);
  });

  test("refuses invalid JSON and payloads over a megabyte", async () => {
    const send = (Payload: string) =>
      client(cloud).send(new InvokeCommand({ FunctionName: "fixture-consumer", InvocationType: "Event", Payload }));
    await expect(send("{")).rejects.toMatchObject({ name: "InvalidRequestContentException" });
    await expect(send(JSON.stringify("x".repeat(1024 * 1024)))).rejects.toMatchObject({ name: "RequestTooLargeException" });
  });

  test("retries an event as configured and stores a failed one in the failure queue", async () => {
    const dataDir = path.join(folder, "retries");
    const at = await start({ dataDir, asyncRetryMs: [10] });
    await invoke({ name: "second-time", failures: 1 }, { at });
    await invoke({ name: "given-up", failures: 9 }, { at });
    await invoke({ name: "given-up-by-second", failures: 9 }, { at, name: "fixture-second" });
    await expect
      .poll(
        () =>
          failed(dataDir).then(
            (lines) => lines.length,
            () => 0,
          ),
        { timeout: 30_000 },
      )
      .toBe(2);
    expect(
      (await failed(dataDir)).map(({ requestContext, requestPayload }) => ({ ...requestContext, name: requestPayload?.name })),
    ).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ name: "given-up", condition: "RetriesExhausted", approximateInvokeCount: 2 }),
        expect.objectContaining({ name: "given-up-by-second", condition: "RetriesExhausted", approximateInvokeCount: 3 }),
      ]),
    );
    expect((await thing("second-time", at)).tries).toBe(2);
    expect(await readdir(path.join(dataDir, "queues", "events"))).toEqual([]);
    await at.close();
  });

  test("runs an accepted event after a restart", async () => {
    const dataDir = path.join(folder, "stopped");
    const first = await start({ dataDir });
    await invoke({ name: "waits-for-its-retry", failures: 1 }, { at: first });
    await first.drained();
    expect((await thing("waits-for-its-retry", first)).tries).toBe(1);
    await first.close();
    const [file] = await readdir(path.join(dataDir, "queues", "events"));
    const waiting = path.join(dataDir, "queues", "events", file!);
    expect(statSync(waiting).mode & 0o777).toBe(0o600);
    await writeFile(waiting, JSON.stringify({ ...(JSON.parse(await readFile(waiting, "utf8")) as object), dueAtMs: 0 }));
    const second = await start({ dataDir });
    await second.drained();
    expect((await thing("waits-for-its-retry", second)).tries).toBe(2);
    expect(await readdir(path.join(dataDir, "queues", "events"))).toEqual([]);
    await second.close();
  });

  test("throttles what exceeds a function's reserved concurrency, and runs a throttled event later", async () => {
    await cloud.drained();
    const { endpoint, region, credentials } = client(cloud).config;
    const by = new LambdaClient({ endpoint, region, credentials, maxAttempts: 1 });
    const ask = (name: string, type: InvocationType) => invoke({ name: `reserved-${name}`, ms: 500 }, { type, name: "fixture-second", by });
    const usage = () => cloud.lambda.usage("fixture-second");
    const answers = await Promise.allSettled(["a", "b", "c"].map((name) => ask(name, "RequestResponse")));
    expect(answers.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    for (const answer of answers)
      if (answer.status === "rejected")
        expect(answer.reason).toMatchObject({
          name: "TooManyRequestsException",
          Reason: "ReservedFunctionConcurrentInvocationLimitExceeded",
        });
    await cloud.drained();
    const { throttled } = usage();
    expect(throttled).toBeGreaterThanOrEqual(2);
    const running = ask("d", "RequestResponse");
    await expect.poll(() => usage().running).toBe(1);
    await ask("e", "Event");
    await expect.poll(() => usage().throttled).toBeGreaterThan(throttled);
    await running;
    await expect.poll(async () => (await thing("reserved-e")).tries, { timeout: 30_000 }).toBe(1);
    expect(usage().peak).toBe(1);
    await cloud.drained();
  });
});

describe("a grant taken out of the template", () => {
  type Policy = { PolicyDocument: { Statement: { Action: string | string[] }[] } };
  const without = (action: string) => (template: Template) => {
    for (const { Type, Properties } of Object.values(template.Resources ?? {})) {
      if (Type !== "AWS::IAM::Policy") continue;
      for (const statement of (Properties as unknown as Policy).PolicyDocument.Statement)
        statement.Action = [statement.Action].flat().filter((one) => one !== action);
    }
  };

  test.each(["dynamodb:PutItem", "kms:Decrypt"])("%s: the call that needs it is denied", async (action) => {
    const poor = await start({ mutateTemplate: without(action) });
    expect((await put("denied", poor)).status).toBe(500);
    expect(
      poor.aws.dynamodb
        .usage()
        .filter(({ operation }) => operation === "PutItem")
        .map(({ error }) => error),
    ).not.toContain(undefined);
    await poor.close();
  });
});

describe("a template that this machine cannot run stops the start and names the resource", () => {
  const broken = async (change: (template: Template) => void): Promise<string> => {
    const refused = start({ mutateTemplate: (template, name) => void (name === "fixture-api" && change(template)) });
    return refused.then(
      async (started) => (await started.close(), "started"),
      (error: Error) => `${error.name}: ${error.message}`,
    );
  };

  test("an unknown type", async () => {
    expect(await broken((template) => Object.assign(template.Resources ?? {}, { Strange: { Type: "AWS::Unheard::Of" } }))).toBe(
      "StartError: fixture-api/Strange: the type AWS::Unheard::Of is not known to the local platform.",
    );
  });

  test("a reference to nothing", async () => {
    const message = await broken((template) => {
      const fn = Object.entries(template.Resources ?? {}).find(([, { Properties }]) => Properties?.["FunctionName"] === "fixture-api");
      Object.assign(fn?.[1].Properties ?? {}, { Environment: { Variables: { LOST: { "Fn::GetAtt": ["Nowhere", "Arn"] } } } });
    });
    expect(message).toMatch(/^StartError: fixture-api\/api\w+: GetAtt of Nowhere/);
  });

  test("a topic on which a service may not publish", async () => {
    const message = await broken(withoutType("AWS::SNS::TopicPolicy"));
    expect(message).toMatch(/^StartError: fixture-api\/\w+: no AWS::SNS::TopicPolicy lets ses.amazonaws.com publish to fixture-api-Topic/);
  });

  test("a route whose function the API may not invoke", async () => {
    const message = await broken(withoutType("AWS::Lambda::Permission"));
    expect(message).toMatch(/^StartError: fixture-api\/\w+: no AWS::Lambda::Permission lets apigateway.amazonaws.com invoke fixture-api/);
  });
});
