import { randomUUID } from "node:crypto";
import { newId } from "@vitaline/core";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { startTestAws, type TestAws } from "../../test/kit/aws.ts";

let it: TestAws;
beforeAll(async () => void (it = await startTestAws()));
afterEach(() => vi.unstubAllEnvs());
afterAll(() => it.close());

/** A function that was deployed with these session keys. */
const deployedWith = async (...arns: string[]) => {
  vi.stubEnv("SESSION_KEY_ARNS", arns.join());
  vi.resetModules();
  const { issueToken, verify } = await import("./token.ts");
  const claims = { sub: newId(), sid: newId() };
  return { verify, issue: async () => ({ token: await issueToken(claims, new Date(), 3600), claims }) };
};

test("A05: a second session key is known to all before it signs, and the first one's sessions last until it is removed", async () => {
  const first = it.sessionKeyArn;
  const keyId = randomUUID();
  const second = first.replace(/[^/]+$/, keyId);
  await it.aws.kms.ensureKey({ keyId, arn: second, spec: "RSA_2048", tags: { "vitaline:use": "session-signing" } });
  const stages = [[first], [first, second], [second, first], [second]];
  const made = [];
  for (const arns of stages) {
    const { issue, verify } = await deployedWith(...arns);
    made.push(await issue());
    await expect(verify(made.at(-1)!.token)).resolves.toMatchObject(made.at(-1)!.claims);
  }
  // While a deployment runs, functions of two steps in a row serve at the same time.
  for (const [at, arns] of stages.slice(0, 3).entries()) {
    const { verify } = await deployedWith(...arns);
    for (const { token, claims } of made.slice(Math.max(0, at - 1), at + 2)) await expect(verify(token)).resolves.toMatchObject(claims);
  }
  const { verify } = await deployedWith(second);
  for (const { token } of made.slice(0, 2)) await expect(verify(token)).rejects.toMatchObject({ code: "unauthenticated" });
  for (const { token, claims } of made.slice(2)) await expect(verify(token)).resolves.toMatchObject(claims);
});
