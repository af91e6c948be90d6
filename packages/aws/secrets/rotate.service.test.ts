import { GetSecretValueCommand, PutSecretValueCommand, SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import { newId, secretValues } from "@vitaline/core";
import { afterEach, beforeAll, beforeEach, afterAll, expect, test, vi } from "vitest";
import { startTestAws, type TestAws } from "../../../test/kit/aws.ts";
import { readAppSecrets } from "./app-secrets.ts";
import { rotateSecret } from "./rotate.ts";
import { acceptedValues, SecretRing } from "./secret-ring.ts";

let it: TestAws;
let client: SecretsManagerClient;
beforeAll(async () => {
  it = await startTestAws();
  client = new SecretsManagerClient({});
});
afterAll(async () => {
  client.destroy();
  await it.close();
});
let arn: string;
beforeEach(async () => {
  arn = `arn:aws:secretsmanager:us-east-1:000000000000:secret:${newId()}-abcdef`;
  await it.aws.secrets.ensureSecret({ arn, name: newId(), value: JSON.stringify({ value: first }) });
});
afterEach(() => it.fault());

const first = "the first value, which is long enough";
const start = Date.parse("2030-01-01T00:00:00.000Z");
const ring = async (): Promise<SecretRing> => {
  const { SecretString = "" } = await client.send(new GetSecretValueCommand({ SecretId: arn }));
  return SecretRing.parse(JSON.parse(SecretString));
};
const at = (ms: number) => () => new Date(start + ms);
const hourMs = 3_600_000;

test("the new value is accepted before it is used, and the former one while what was made with it lasts", async () => {
  const seen: SecretRing[] = [];
  const waitForFunctions = async () => void seen.push(await ring());
  await rotateSecret({ name: "tokens", arn, now: at(0), waitForFunctions });
  const [meanwhile] = seen;
  const { value: second } = await ring();
  expect([seen.length, meanwhile, second === first]).toEqual([1, { value: first, next: second, former: [] }, false]);
  const after = await ring();
  expect(acceptedValues(meanwhile!, at(0)())).toEqual([first, second]);
  // A call token lasts for two hours.
  expect(acceptedValues(after, at(2 * hourMs)())).toEqual([second, first]);
  expect(acceptedValues(after, at(4 * hourMs)())).toEqual([second]);
  await rotateSecret({ name: "tokens", arn, now: at(hourMs), waitForFunctions });
  const { value: third } = await ring();
  expect(acceptedValues(await ring(), at(hourMs)())).toEqual([third, second, first]);
  await rotateSecret({ name: "tokens", arn, now: at(9 * hourMs), waitForFunctions });
  expect((await ring()).former.map(({ value }) => value)).toEqual([third]);
});

test("the key of hashes finds for good what was stored under any former one", async () => {
  for (let turn = 0; turn < 3; turn++)
    await rotateSecret({ name: "hashes", arn, now: at(turn * 9000 * hourMs), waitForFunctions: async () => {} });
  const accepted = acceptedValues(await ring(), at(99_999 * hourMs)());
  expect([accepted.length, accepted.at(-1)]).toEqual([4, first]);
});

test("a rotation that was interrupted at any step refuses nothing and is completed by the next run", async () => {
  const interrupted = new Error("interrupted");
  const fail = () => Promise.reject(interrupted);
  await expect(rotateSecret({ name: "edge", arn, now: at(0), waitForFunctions: fail })).rejects.toBe(interrupted);
  const { next } = await ring();
  const sent: string[] = [];
  const send = (versionId: string) => Promise.resolve(void sent.push(it.aws.secrets.value(arn, versionId)));
  await expect(rotateSecret({ name: "edge", arn, now: at(0), waitForFunctions: async () => {}, send: fail })).rejects.toBe(interrupted);
  // CloudFront still sends the first value, for however long.
  expect(acceptedValues(await ring(), at(99 * hourMs)())).toEqual([next, first]);
  await rotateSecret({ name: "edge", arn, now: at(0), waitForFunctions: async () => {}, send });
  const { value: third } = await ring();
  expect(sent.map((text) => SecretRing.parse(JSON.parse(text)).value)).toEqual([third]);
  expect(acceptedValues(await ring(), at(0)())).toEqual([third, next, first]);
  expect(acceptedValues(await ring(), at(2 * hourMs)())).toEqual([third]);
});

test("after a leak no former value is accepted when the rotation has ended; hashes are still found", async () => {
  const seen: string[][] = [];
  const waitForFunctions = async () => void seen.push([...acceptedValues(await ring(), at(0)())]);
  await rotateSecret({ name: "edge", arn, now: at(0), waitForFunctions, isLeaked: true });
  const { value: second, former } = await ring();
  expect(former).toEqual([]);
  // It ends when the functions have read that the former value is refused.
  expect(seen).toEqual([[first, second], [second, first], [second]]);
  await rotateSecret({ name: "hashes", arn, now: at(0), waitForFunctions, isLeaked: true });
  expect((await ring()).former).toEqual([{ value: second }]);
});

test("functions read their secrets again when they are old, and go on with them while Secrets Manager fails", async () => {
  const edge = process.env["EDGE_SECRET_ARN"] ?? "";
  vi.useFakeTimers({ toFake: ["Date"], now: start });
  try {
    const later = async (seconds: number): Promise<readonly string[]> => {
      vi.setSystemTime(Date.now() + seconds * 1000);
      await readAppSecrets();
      return secretValues("edge");
    };
    const [before] = await later(86_401);
    const replaced = { value: "another value, which is long enough too", former: [{ value: before }] };
    await client.send(new PutSecretValueCommand({ SecretId: edge, SecretString: JSON.stringify(replaced) }));
    expect(await later(86_000)).toEqual([before]);
    expect(await later(401)).toEqual([replaced.value, before]);
    it.fault(({ service }) => (service === "secretsmanager" ? { status: 500, code: "InternalServiceError", message: "later" } : undefined));
    const written = vi.spyOn(process.stdout, "write").mockReturnValue(true);
    expect(await later(86_401)).toEqual([replaced.value, before]);
    const lines = written.mock.calls.map(([line]) => String(line)).join("");
    written.mockRestore();
    expect([lines.includes("secrets.not_read"), lines.includes(replaced.value)]).toEqual([true, false]);
    await expect(later(90_000)).rejects.toMatchObject({ code: "unavailable" });
  } finally {
    vi.useRealTimers();
    it.fault();
    await client.send(
      new PutSecretValueCommand({ SecretId: edge, SecretString: JSON.stringify({ value: "a last value, which is long enough as well" }) }),
    );
  }
});
