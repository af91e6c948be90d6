import { expect, test } from "vitest";
import type { FunctionSpec } from "../template/functions.ts";
import { offersFrom } from "./offers.ts";

const offers = offersFrom("http://127.0.0.1:8083/calendar");
const spec = (name: string, env: Record<string, string> = {}) => ({ name, env }) as unknown as FunctionSpec;

test("the site's function gets a promotion and the calendar, unless the stage has its own; no other function does", () => {
  const own = { DEMO_SCHEDULING_URL: "https://cal.com/a/b" };
  expect(offers.withOffers(spec("vitaline-local-site")).env).toEqual({
    DEMO_SCHEDULING_URL: "http://127.0.0.1:8083/calendar",
    PROMOTION_REMAINING: "37",
  });
  expect(offers.withOffers(spec("vitaline-local-site", own)).env).toMatchObject(own);
  expect(offers.withOffers(spec("vitaline-local-voice")).env).toEqual({});
});

test("pages may frame the calendar's origin and nothing else", () => {
  const policyWith = (frames: string) => ({
    Resources: {
      Headers: { Type: "AWS::CloudFront::ResponseHeadersPolicy", Properties: { csp: `img-src 'self'; frame-src ${frames}; x` } },
    },
  });
  for (const [before, after] of [
    ["'none'", "http://127.0.0.1:8083"],
    ["https://cal.com", "https://cal.com"],
  ] as const) {
    const template = policyWith(before);
    offers.mutateTemplate(template as never, "Web");
    expect(template).toEqual(policyWith(after));
  }
});
