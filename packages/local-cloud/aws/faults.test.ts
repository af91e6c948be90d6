import { createHash } from "node:crypto";
import { connect, createServer } from "node:net";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { ListKeysCommand } from "@aws-sdk/client-kms";
import { PutObjectCommand } from "@aws-sdk/client-s3";
import { GetCommand, PutCommand } from "@aws-sdk/lib-dynamodb";
import { account, region, startEndpoint, tableSpec, type Endpoint } from "./endpoint.fixture.ts";
import { startAws } from "./start.ts";
import type { Call, Fault } from "./types.ts";

const TableName = "faulty";
let it: Endpoint;
let fault: (call: Call) => Fault = () => undefined;
beforeAll(async () => {
  it = await startEndpoint({ fault: (call) => fault(call) });
  await it.aws.dynamodb.ensureTable(tableSpec(TableName));
  await it.aws.s3.ensureBucket({ name: "faulty" });
});
beforeEach(() => {
  fault = () => undefined;
});
afterAll(() => it.close());

const put = (pk: string) => it.table.send(new PutCommand({ TableName, Item: { pk, sk: "1" } }));
const isThere = async (pk: string) => (await it.table.send(new GetCommand({ TableName, Key: { pk, sk: "1" } }))).Item !== undefined;

function breakOnce(operation: string, how: Fault): void {
  let left = 1;
  fault = (call) => (call.operation === operation && left-- > 0 ? how : undefined);
}

test("a fault reaches the client in AWS's form, and the call does not run", async () => {
  breakOnce("PutItem", { status: 400, code: "ProvisionedThroughputExceededException", message: "slow down" });
  await expect(put("throttled")).rejects.toMatchObject({ name: "ProvisionedThroughputExceededException", message: "slow down" });
  expect(await isThere("throttled")).toBe(false);
  breakOnce("PutObject", { status: 503, code: "SlowDown", message: "slow down" });
  await expect(it.s3.send(new PutObjectCommand({ Bucket: "faulty", Key: "a", Body: "x" }))).rejects.toMatchObject({
    name: "SlowDown",
    $metadata: { httpStatusCode: 503 },
  });
});

test("a connection dropped before the call leaves nothing done, one dropped after it leaves it done", async () => {
  breakOnce("PutItem", "drop");
  await expect(put("before")).rejects.toThrow();
  breakOnce("PutItem", "after");
  await expect(put("after")).rejects.toThrow();
  expect([await isThere("before"), await isThere("after")]).toEqual([false, true]);
});

test("a delayed call is answered, and others do not wait for it", async () => {
  const order: string[] = [];
  breakOnce("PutItem", { delayMs: 150 });
  await Promise.all([put("slow").then(() => order.push("slow")), isThere("any").then(() => order.push("fast"))]);
  expect(order).toEqual(["fast", "slow"]);
});

test("the hook gets service, operation and caller", async () => {
  const calls: Call[] = [];
  fault = (call) => void calls.push(call);
  await isThere("a");
  await it.kms.send(new ListKeysCommand({}));
  await it.s3.send(new PutObjectCommand({ Bucket: "faulty", Key: "b", Body: "x" }));
  const principalArn = `arn:aws:iam::${account}:role/operator`;
  expect(calls).toEqual([
    { service: "dynamodb", operation: "GetItem", principalArn },
    { service: "kms", operation: "ListKeys", principalArn },
    { service: "s3", operation: "PutObject", principalArn },
  ]);
});

test("a client that disconnects during its request does not affect others", async () => {
  const socket = connect(it.aws.port, "127.0.0.1");
  const head = [
    "POST / HTTP/1.1",
    "host: x",
    `authorization: ${signedFor("dynamodb", "operator")}`,
    "x-amz-target: DynamoDB_20120810.PutItem",
    "content-length: 1000",
    "",
    "{",
  ];
  await new Promise((resolve) => socket.write(head.join("\r\n"), resolve));
  socket.destroy();
  expect(await isThere("never")).toBe(false);
});

const signedFor = (service: string, accessKeyId = "anyone") =>
  `AWS4-HMAC-SHA256 Credential=${accessKeyId}/20260101/${region}/${service}/aws4_request, SignedHeaders=host, Signature=${createHash("sha256").digest("hex")}`;

test("an added service gets its calls with the caller's rights; an unknown service is refused", async () => {
  const aws = await startAws({
    region,
    account,
    principals: () => ({ arn: "role", statements: [{ Effect: "Allow", Action: "sqs:SendMessage", Resource: "*" }] }),
    services: {
      sqs: async ({ operation, body, url, authorize }) => {
        authorize({ action: url.pathname === "/send" ? "sqs:SendMessage" : "sqs:DeleteMessage", resource: "*" });
        return { body: `${operation} ${body.toString()}` };
      },
    },
  });
  const call = (service: string, path: string) =>
    fetch(`${aws.url}${path}`, { method: "POST", body: "hello", headers: { authorization: signedFor(service) } });
  expect(await (await call("sqs", "/send")).text()).toBe("POST /send hello");
  expect(await (await call("sqs", "/delete")).json()).toMatchObject({ __type: "AccessDeniedException" });
  expect(await (await call("glue", "/")).json()).toMatchObject({ __type: "UnknownServiceException" });
  await aws.close();
});

test("a taken port stops the start with one sentence", async () => {
  const other = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => other.once("listening", resolve));
  const { port } = other.address() as { port: number };
  await expect(startAws({ region, account, port, principals: () => undefined })).rejects.toThrow(`Port ${port} is in use`);
  other.close();
});
