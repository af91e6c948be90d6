import fc from "fast-check";
import type { Webhooks } from "openai/resources/webhooks/webhooks";
import { isAppError } from "@vitaline/core";
import { expect, test } from "vitest";
import { openAi } from "./index.ts";
import { sipNumber } from "./sip-number.ts";

const incoming = (headers: [string, string][], callId = "rtc_1"): Webhooks.RealtimeCallIncomingWebhookEvent => ({
  id: "evt_1",
  object: "event",
  created_at: 1_772_445_600,
  type: "realtime.call.incoming",
  data: { call_id: callId, sip_headers: headers.map(([name, value]) => ({ name, value })), sip_media_security: "srtp" },
});

test("a call that comes in is known by its id, with who calls whom; of a header that comes twice the first counts", () => {
  const event = incoming([
    ["From", '"Ann, <sip:+1@evil>" <sip:+16175550123@carrier.example;user=phone>;tag=ab'],
    ["To", "sip:+1-415-555-0100@sip.api.openai.com"],
    ["to", "sip:+14155550199@sip.api.openai.com"],
    ["Call-ID", "03782086"],
  ]);
  expect(openAi.decodeIncoming(event)).toEqual({
    platform: "openai",
    callId: "rtc_1",
    callerNumber: "+16175550123",
    calledNumber: "+14155550100",
  });
});

test.each([
  ["sip:+16175550123@host", "+16175550123"],
  ["<sips:6175550123@host>", "6175550123"],
  ["<tel:+1-(617)-555.0123;phone-context=x>", "+16175550123"],
  ["SIP:%2B16175550123@host", "+16175550123"],
  ["sip:+16175550123;npdi@host", "+16175550123"],
  ["sip:proj_abc@sip.api.openai.com", undefined],
  ["<sip:anonymous@anonymous.invalid>", undefined],
  ['"+16175550123" <sip:anonymous@anonymous.invalid>', undefined],
  ["sip:%E0%A4%A@host", undefined],
  ["+16175550123", undefined],
  ["", undefined],
])("the address %s names %s", (header, number) => expect(sipNumber(header)).toBe(number));

test("however a number is made readable it is the same number", () => {
  const separators = fc.constantFrom("", "-", ".", " ", "(", ")", "%20");
  fc.assert(
    fc.property(fc.stringMatching(/^[1-9]\d{6,14}$/), fc.array(separators, { minLength: 15, maxLength: 15 }), (digits, between) => {
      const readable = [...digits].map((digit, at) => digit + (between[at] ?? "")).join("");
      expect(sipNumber(`<sip:+${readable}@host;x=y>;tag=z`)).toBe(`+${digits}`);
    }),
  );
});

test("other events, and a call without an id, ask for no answer; odd headers cost themselves alone", () => {
  for (const body of [{ ...incoming([]), type: "live.transport.incoming" }, { type: "realtime.call.incoming" }, { data: {} }, "text", null])
    expect(openAi.decodeIncoming(body)).toBeUndefined();
  const odd = {
    ...incoming([]),
    data: { call_id: "rtc_1", sip_headers: [null, 7, { name: "From" }, { name: "To", value: "sip:+14155550100@x" }] },
  };
  expect(openAi.decodeIncoming(odd)).toEqual({ platform: "openai", callId: "rtc_1", calledNumber: "+14155550100" });
});

test("whatever comes, nothing but invalid_request is thrown", () => {
  const events = fc.record(
    {
      type: fc.constant("realtime.call.incoming"),
      data: fc.oneof(fc.anything(), fc.record({ call_id: fc.anything(), sip_headers: fc.anything() })),
    },
    { requiredKeys: ["type"] },
  );
  const header = (_name: string) => undefined;
  fc.assert(
    fc.property(fc.oneof(fc.anything(), fc.jsonValue(), events), (body) => {
      try {
        openAi.decodeIncoming(body);
        openAi.decodeToolCalls(body, { header });
        openAi.decodeCallEvent(body);
        openAi.acknowledge(body);
      } catch (error) {
        expect(isAppError(error, "invalid_request")).toBe(true);
      }
    }),
    { numRuns: 1000 },
  );
});
