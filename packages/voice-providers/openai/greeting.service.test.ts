import { allowLoopback } from "@vitaline/outbound";
import { faultyKeys, startSandboxVoice, type SandboxVoice } from "@vitaline/sandbox-voice";
import { afterAll, beforeAll, expect, it } from "vitest";
import { greet } from "./api.ts";

const usualKey = "key-1234567890";
let sandbox: SandboxVoice;
beforeAll(async () => {
  sandbox = await startSandboxVoice();
  process.env["EGRESS_LOOPBACK_ORIGINS"] = sandbox.origin;
  allowLoopback("arn:aws:lambda:us-east-1:000000000000:function:vitaline-voice");
});
afterAll(async () => {
  delete process.env["EGRESS_LOOPBACK_ORIGINS"];
  allowLoopback("");
  await sandbox.close();
});

const ring = (isAccepted = true): string => {
  const id = sandbox.calls.ring();
  if (isAccepted) sandbox.calls.change(usualKey, id, "accept", JSON.stringify({ type: "realtime", model: "gpt-realtime" }));
  return id;
};
const greeted = (id: string, apiKey = usualKey, leftMs = 5000) =>
  greet({ apiKey, baseUrl: sandbox.baseUrl("openai"), now: () => new Date(), remainingMs: () => leftMs }, id).then(
    () => "greeted",
    ({ code }: { code?: string }) => code,
  );

it("V03: the agent of an accepted call is made to speak first", async () => {
  const id = ring();
  expect(await greeted(id)).toBe("greeted");
  expect(sandbox.calls.find(id)).toMatchObject({ state: "accepted", greeted: true });
  expect(sandbox.asked.at(-1)).toMatchObject({ key: usualKey });
});

it("V03: a call that is not accepted, a bad key and a silent API are told apart from a greeting, in time", async () => {
  expect(await greeted(ring(false))).toBe("outbound_unreachable");
  expect(await greeted(ring(), faultyKeys.refused)).toBe("outbound_unreachable");
  expect(await greeted(ring(), faultyKeys.slow, 200)).toBe("outbound_timeout");
});
