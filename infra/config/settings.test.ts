import { defaultToolRunsPerMinute } from "@vitaline/contract";
import { describe, expect, test } from "vitest";
import { settingsFor } from "./settings.ts";
import { statedStages } from "../test.fixture.ts";

describe("settingsFor", () => {
  test("production cannot be synthesized without any of its required settings, and names the missing one", () => {
    const { production } = statedStages;
    expect(settingsFor("production", statedStages)).toMatchObject({
      account: production.account,
      keepsData: true,
      archive: { mode: "compliance", days: 7 * 366 },
    });
    for (const name of ["account", "domain", "certificateArn", "hostedZone", "alarmEmail"] as const) {
      const { [name]: _without, ...rest } = production;
      expect(() => settingsFor("production", { production: rest })).toThrow(`The stage production cannot be synthesized without ${name}`);
    }
    expect(() => settingsFor("production", {})).toThrow("account, domain, certificateArn, hostedZone, alarmEmail");
  });

  test("the local stage has an account that AWS never issues, and no other stage may use it", () => {
    expect(settingsFor("local", {}).account).toBe("000000000000");
    expect(() => settingsFor("demo", { demo: { account: "000000000000" } })).toThrow("cannot have the account of the local stage");
  });

  test("only the local stage may reach loopback origins, and those must be loopback", () => {
    const choices = { VITALINE_EGRESS: "http://127.0.0.1:9000, http://localhost:9001" };
    expect(settingsFor("local", {}, choices).egressLoopbackOrigins).toEqual(["http://127.0.0.1:9000", "http://localhost:9001"]);
    expect(() => settingsFor("demo", {}, choices)).toThrow("may not reach loopback origins");
    for (const origin of ["http://10.0.0.1:9000", "http://127.0.0.1.example.org", "http://127.0.0.1:9000/fhir"])
      expect(() => settingsFor("local", {}, { VITALINE_EGRESS: origin })).toThrow("egressLoopbackOrigins");
  });

  test("texts come from a number, a pool or a sender with a full ARN; without one none are sent", () => {
    expect(settingsFor("demo", {}).smsOrigination).toBeUndefined();
    for (const smsProtectConfiguration of ["everything", "protect-"])
      expect(() => settingsFor("demo", { demo: { smsProtectConfiguration } })).toThrow("smsProtectConfiguration");
    expect(settingsFor("local", {}).smsOrigination).toBe("arn:aws:sms-voice:us-east-1:000000000000:pool/pool-local");
    const named = "arn:aws:sms-voice:us-east-1:111122223333:phone-number/phone-1";
    expect(settingsFor("demo", { demo: { smsOrigination: named } }).smsOrigination).toBe(named);
    for (const smsOrigination of ["+16175550100", "arn:aws:sms-voice:us-east-1:111122223333:*", named.replace("us-east-1", "eu-west-1")])
      expect(() => settingsFor("demo", { demo: { smsOrigination } })).toThrow("smsOrigination");
  });

  test("a calendar is framed only from a known host over HTTPS", () => {
    expect(settingsFor("demo", {}, { DEMO_SCHEDULING_URL: "https://cal.com/a/b" }).demoSchedulingUrl).toBe("https://cal.com/a/b");
    for (const url of ["http://cal.com/a", "https://cal.com.example.org/a", "javascript:alert(1)"])
      expect(() => settingsFor("demo", {}, { DEMO_SCHEDULING_URL: url })).toThrow("demoSchedulingUrl");
  });

  test("reservations are shares of the account's quota that leave Lambda's 100 unreserved; a stage may state its own", () => {
    const { production } = statedStages;
    const reserved = (stated: object) => settingsFor("staging", { staging: stated }).reservedConcurrency;
    const total = (shares: object) => Object.values(shares as Record<string, number>).reduce((sum, share) => sum + share, 0);
    expect(reserved({})).toMatchObject({ voice: 350, mcp: 150, auth: 60, "events/project": 60 });
    for (const accountConcurrency of [300, 400, 999, 1000, 3000])
      expect(total(reserved({ accountConcurrency }))).toBeLessThanOrEqual(accountConcurrency - 100);
    expect(reserved({ accountConcurrency: 3000 })["voice"]).toBeGreaterThan(1000);
    for (const accountConcurrency of [10, 299]) expect(reserved({ accountConcurrency })).toEqual({});
    expect(settingsFor("demo", {}).reservedConcurrency).toEqual({});
    expect(settingsFor("production", { production }).reservedConcurrency).toMatchObject({ ...production.reservedConcurrency, mcp: 150 });
    expect(() => reserved({ reservedConcurrency: { voice: 900 } })).toThrow("Lambda keeps 100 unreserved");
    expect(() => reserved({ reservedConcurrency: { voize: 10 } })).toThrow("reservedConcurrency");
  });

  test("A09: a release is served gradually where data is kept, but never beside one that serves another table unless the stage says so", () => {
    const restored = { tableName: "restored", tableStreamArn: "arn:aws:dynamodb:us-east-1:111122223333:table/restored/stream/1" };
    const gradual = (stage: string, stated: object) => settingsFor(stage, { [stage]: stated }).gradual;
    expect([gradual("staging", {}), gradual("demo", {}), gradual("staging", restored)]).toEqual([true, false, false]);
    expect([gradual("staging", { ...restored, gradual: true }), gradual("staging", { gradual: false })]).toEqual([true, false]);
  });

  test("A08: a tenant reaches its own limit, whose answer asks callers to wait, before the firewall's, which ends their calls", () => {
    const { requestsPerKey } = settingsFor("demo", {}).firewall;
    // 7 requests with 3.25 runs in a measured call
    expect(requestsPerKey).toBeGreaterThan((defaultToolRunsPerMinute * 5 * 7) / 3.25);
    expect(settingsFor("staging", { staging: { firewall: { requestsPerKey: 100_000 } } }).firewall).toEqual({
      signInsPerAddress: 300,
      requestsPerKey: 100_000,
    });
  });

  test("a misspelled setting or stage is refused, and a domain requires a certificate", () => {
    expect(() => settingsFor("demo", { demo: { alarmMail: "a@example.org" } })).toThrow("Settings of the stage demo");
    for (const stage of ["", "Demo", "a-b", "x".repeat(21)]) expect(() => settingsFor(stage, {})).toThrow("lower-case letters");
    expect(() => settingsFor("prodution", {})).toThrow("not known");
    expect(settingsFor("staging", { staging: {} }).stage).toBe("staging");
    expect(() => settingsFor("demo", { demo: { domain: "demo.example.org" } })).toThrow("without certificateArn");
  });
});
