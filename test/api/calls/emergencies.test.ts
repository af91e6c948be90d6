import { afterAll, beforeAll, expect, test } from "vitest";
import { sharedPlatform, type TestPlatform } from "../../kit/platform.ts";
import { openLine } from "../../kit/line.ts";
import { tenantAt } from "./main-job.ts";
import type { Json } from "../../kit/api.ts";

let it: TestPlatform;
beforeAll(async () => void (it = await sharedPlatform({ voices: true, calls: true })));
afterAll(() => it.close());

const said = {
  en: "If this is an emergency, please hang up and call 911 right now.",
  es: "Si es una emergencia, por favor cuelgue y llame al 911 ahora mismo.",
};

test("V01: an emergency in arguments that fit no tool reaches the platform as an answer of one line, and the clinic of the call as a task", async () => {
  const [one, two] = [0, 1].map((at) => openLine(it.api, tenantAt(it, at).apiKey, it.demo.patients[at]!));
  expect(
    await one!.useTool("sendCommunicationFhir", { category: "symptoms", message: "I have chest pain and cannot breathe" }),
  ).toMatchObject({
    status: 200,
    ok: true,
    speech: said.en,
    lines: 1,
  });
  expect(await two!.useTool("logRoutingEvent", { outcome: "nurse", reason: "no puedo respirar" })).toMatchObject({
    ok: true,
    speech: said.es,
  });
  expect(await two!.useTool("noSuchTool", { anything: "dolor de pecho" })).toMatchObject({ ok: true, speech: said.es });
  const tasksOf = async (at: number): Promise<Json[]> => {
    const { email, password } = tenantAt(it, at).admin;
    const { json } = await it.api("GET", "/api/tenant/tasks?closed=false", { token: await it.tokenOf(email, password) });
    return (json as Json[]).filter(({ callId }) => callId === one!.callKey || callId === two!.callKey);
  };
  expect(await tasksOf(0)).toMatchObject([{ kind: "emergency", callId: one!.callKey }]);
  expect(await tasksOf(1)).toMatchObject([{ kind: "emergency", callId: two!.callKey }]);
});
