import { randomUUID } from "node:crypto";
import { newId } from "@vitaline/core";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { startTestAws, type TestAws } from "../../test/kit/aws.ts";

let it: TestAws;
beforeAll(async () => void (it = await startTestAws()));
afterAll(() => it.close());

/** A function that has read the secret while it had these values. */
const knowing = async (...arns: [string, ...string[]]) => {
  vi.resetModules();
  const { holdSecret } = await import("@vitaline/core");
  holdSecret("sessions", arns);
  const { issueToken, verify } = await import("./token.ts");
  const claims = { sub: newId(), sid: newId() };
  return { verify, issue: async () => ({ token: await issueToken(claims, new Date(), 3600), claims }) };
};

test("A05: a second session key is known to all before it signs, and the first one's sessions last until it is removed", async () => {
  const first = it.sessionKeyArn;
  const keyId = randomUUID();
  const second = first.replace(/[^/]+$/, keyId);
  await it.aws.kms.ensureKey({ keyId, arn: second, spec: "RSA_2048", tags: { "vitaline:use": "session-signing" } });
  const stages: [string, ...string[]][] = [[first], [first, second], [second, first], [second]];
  const made = [];
  for (const arns of stages) {
    const { issue, verify } = await knowing(...arns);
    made.push(await issue());
    await expect(verify(made.at(-1)!.token)).resolves.toMatchObject(made.at(-1)!.claims);
  }
  // Functions of two steps in a row serve at the same time.
  for (const [at, arns] of stages.slice(0, 3).entries()) {
    const { verify } = await knowing(...arns);
    for (const { token, claims } of made.slice(Math.max(0, at - 1), at + 2)) await expect(verify(token)).resolves.toMatchObject(claims);
  }
  const { verify } = await knowing(second);
  for (const { token } of made.slice(0, 2)) await expect(verify(token)).rejects.toMatchObject({ code: "unauthenticated" });
  for (const { token, claims } of made.slice(2)) await expect(verify(token)).resolves.toMatchObject(claims);
});

test("A05: a session key that cannot be read refuses its own tokens alone, until it can be", async () => {
  vi.spyOn(process.stdout, "write").mockReturnValue(true);
  vi.useFakeTimers({ toFake: ["Date"] });
  const first = it.sessionKeyArn;
  const keyId = randomUUID();
  const unread = first.replace(/[^/]+$/, keyId);
  const { issue, verify } = await knowing(first, unread);
  const { token, claims } = await issue();
  await expect(verify(token)).resolves.toMatchObject(claims);
  await it.aws.kms.ensureKey({ keyId, arn: unread, spec: "RSA_2048", tags: { "vitaline:use": "session-signing" } });
  const { holdSecret } = await import("@vitaline/core");
  const { issueToken } = await import("./token.ts");
  holdSecret("sessions", [unread, first]);
  const later = await issueToken(claims, new Date(), 3600);
  holdSecret("sessions", [first, unread]);
  await expect(verify(later)).rejects.toMatchObject({ code: "unauthenticated" });
  vi.advanceTimersByTime(10_001);
  await expect(verify(later)).resolves.toMatchObject(claims);
  vi.useRealTimers();
  vi.restoreAllMocks();
});
