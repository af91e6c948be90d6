import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { settingsFor } from "@vitaline/infra/config/settings.ts";
import { missingIn } from "@vitaline/infra/preflight/preflight.ts";
import { account, startEndpoint, type Endpoint } from "../endpoint.fixture.ts";
import { type AccountState, newAccount } from "./state.ts";

const number = `arn:aws:sms-voice:us-east-1:${account}:phone-number/phone-1`;
const certificateArn = `arn:aws:acm:us-east-1:${account}:certificate/0a1b2c3d`;
const stated = {
  domain: "app.clinic.example",
  certificateArn,
  hostedZone: { id: "Z1", name: "clinic.example" },
  alarmEmail: "oncall@clinic.example",
  smsOrigination: number,
  smsProtectConfiguration: "protect-1",
  businessAssociateAddendum: "2026-11-01",
};
/** The embedded account is that of the local stage, which no other stage may state. */
const settingsWith = (more: object = {}) => ({ ...settingsFor("staging", { staging: { ...stated, ...more } }), account });

const alarms = `arn:aws:sns:us-east-1:${account}:vitaline-staging-data-Alarms-X`;
const readyAccount = (): AccountState => ({
  lambdaConcurrency: 1000,
  certificates: [{ arn: certificateArn, names: ["*.clinic.example"], status: "ISSUED" }],
  hostedZones: [
    {
      id: "Z1",
      name: "clinic.example",
      records: [
        { name: "clinic.example.", type: "NS", values: ["ns-1.example."] },
        { name: "_dmarc.clinic.example.", type: "TXT", values: ['"v=DMARC1; p=quarantine"'] },
      ],
    },
  ],
  mail: {
    hasProductionAccess: true,
    isPaused: false,
    identities: [
      {
        name: "clinic.example",
        verified: true,
        tags: { "vitaline:stage": "staging" },
        mailFrom: { domain: "bounce.clinic.example", status: "SUCCESS" },
      },
    ],
  },
  texts: {
    tier: "PRODUCTION",
    monthlyLimit: 500,
    originations: [
      { arn: number, status: "ACTIVE", numberType: "TOLL_FREE", messageType: "TRANSACTIONAL", registrationId: "registration-1" },
    ],
    protectConfigurations: ["protect-1"],
  },
  topics: [alarms, `arn:aws:sns:us-east-1:${account}:vitaline-production-data-Alarms-Y`],
  subscriptions: [{ topicArn: alarms, endpoint: "oncall@clinic.example", confirmed: true }],
});

let it: Endpoint;
beforeAll(async () => {
  it = await startEndpoint();
  vi.stubEnv("AWS_ENDPOINT_URL", it.aws.url);
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", "a-secret-that-signs");
});
beforeEach(() => {
  vi.stubEnv("AWS_ACCESS_KEY_ID", "operator");
  arrange(readyAccount());
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await it.close();
});
const arrange = (state: AccountState): void => void Object.assign(it.aws.account, state);
/** After one change of an account that lacks nothing. */
const missingAfter = (change: (state: AccountState) => void, more?: object): Promise<string[]> => {
  const state = readyAccount();
  change(state);
  arrange(state);
  return missingIn(settingsWith(more));
};

test("an account in which all is arranged lacks nothing, before the first deployment and after", async () => {
  expect(await missingIn(settingsWith())).toEqual([]);
  expect(await missingAfter((state) => ((state.topics = []), (state.mail.identities = [])))).toEqual([]);
});

test("a new account lacks what AWS gives on request, what carriers demand and what a law does, each in a sentence that says what to do", async () => {
  arrange(newAccount());
  const missing = await missingIn(settingsWith({ businessAssociateAddendum: undefined, smsProtectConfiguration: undefined }));
  expect(missing.map((sentence) => sentence.split(/[:,] /)[0])).toEqual([
    "No Business Associate Addendum with AWS is noted",
    "Lambda runs at most 10 functions at once in this account",
    `The certificate ${certificateArn} does not exist`,
    "The hosted zone Z1 does not exist in this account",
    "SES is in its sandbox and sends to confirmed addresses alone",
    "AWS End User Messaging is in its sandbox and texts verified numbers alone",
    "Texts stop after 1 US dollars a month",
    `The origination ${number} does not exist`,
  ]);
  for (const sentence of missing) expect(sentence).toMatch(/: [a-z][^:]*\.$/);
});

test.each<[what: string, sentence: string, change: (state: AccountState) => void, more?: object]>([
  ["a certificate that waits", "waits for its validation", (state) => (state.certificates[0]!.status = "PENDING_VALIDATION")],
  ["an expired certificate", "has the status EXPIRED", (state) => (state.certificates[0]!.status = "EXPIRED")],
  ["a certificate of another name", "not for app.clinic.example", (state) => (state.certificates[0]!.names = ["*.app.clinic.example"])],
  ["a zone of another name", "is of other.example", (state) => (state.hostedZones[0]!.name = "other.example")],
  ["a private zone", "is private", (state) => (state.hostedZones[0]!.isPrivate = true)],
  ["a zone without DMARC", "_dmarc.clinic.example", (state) => state.hostedZones[0]!.records.pop()],
  ["another record in DMARC's place", "no DMARC record", (state) => (state.hostedZones[0]!.records[1]!.values = ['"v=spf1 -all"'])],
  ["paused mail", "has paused sending", (state) => (state.mail.isPaused = true)],
  ["an unverified domain", "DKIM records", (state) => (state.mail.identities[0]!.verified = false)],
  ["a MAIL FROM without records", "MAIL FROM domain bounce", (state) => (state.mail.identities[0]!.mailFrom!.status = "FAILED")],
  ["another stage's identity", "is not of this stage", (state) => (state.mail.identities[0]!.tags["vitaline:stage"] = "production")],
  ["an identity that is stated to exist", "SES knows no identity", (state) => (state.mail.identities = []), { mailVerified: true }],
  ["an unregistered toll-free number", "has no registration", (state) => delete state.texts.originations[0]!.registrationId],
  ["a number that waits for its carriers", "is pending, not active", (state) => (state.texts.originations[0]!.status = "PENDING")],
  ["a number for promotions", "is for promotions", (state) => (state.texts.originations[0]!.messageType = "PROMOTIONAL")],
  ["a missing protect configuration", "protect-1 does not exist", (state) => (state.texts.protectConfigurations = [])],
  ["an unconfirmed subscription", "open the link", (state) => (state.subscriptions[0]!.confirmed = false)],
  ["a subscription that ran out", "never confirmed or was ended", (state) => (state.subscriptions = [])],
  ["a small quota", "at most 400 functions", (state) => (state.lambdaConcurrency = 400)],
])("%s is the one thing missing", async (_what, sentence, change, more) => {
  const missing = await missingAfter(change, more);
  expect(missing).toEqual([expect.stringContaining(sentence)]);
});

test("a sender outside the zone is confirmed by its owner, and pools and sender ids are looked up by their kind", async () => {
  const [pool, sender] = ["pool/pool-1", "sender-id/VITALINE/US"].map((name) => `arn:aws:sms-voice:us-east-1:${account}:${name}`);
  const waiting = (state: AccountState) =>
    (state.mail.identities = [{ name: "me@elsewhere.example", verified: false, tags: { "vitaline:stage": "staging" } }]);
  expect(await missingAfter(waiting, { mailFrom: "me@elsewhere.example" })).toEqual([expect.stringContaining("open the link in the mail")]);
  const confirmed = (state: AccountState) => {
    state.mail.identities = [{ name: "me@otherclinic.example", verified: true, tags: { "vitaline:stage": "staging" } }];
    state.hostedZones[0]!.records.pop();
  };
  expect(await missingAfter(confirmed, { mailFrom: "me@otherclinic.example" })).toEqual([]);
  for (const smsOrigination of [pool!, sender!]) {
    expect(await missingAfter(() => undefined, { smsOrigination })).toEqual([expect.stringContaining("does not exist")]);
    const added = (state: AccountState) =>
      state.texts.originations.push({ arn: smsOrigination, status: "ACTIVE", messageType: "TRANSACTIONAL" });
    expect(await missingAfter(added, { smsOrigination })).toEqual([]);
  }
});

test("credentials of another account are told first, and what a role may not read is told as unchecked", async () => {
  expect(await missingIn({ ...settingsWith(), account: "111122223333" })).toEqual([
    `The credentials belong to the account ${account}, and the stage staging to 111122223333: use credentials of that account.`,
  ]);
  it.as("blind", [{ Effect: "Allow", Action: ["ses:Get*", "lambda:GetAccountSettings"], Resource: "*" }]);
  vi.stubEnv("AWS_ACCESS_KEY_ID", "blind");
  const unread = ["the certificate", "the hosted zone", "text messages", "the alarm subscription"];
  expect(await missingIn(settingsWith())).toEqual(
    unread.map((what) => expect.stringContaining(`may not read ${what}, so it was not checked`)),
  );
});

test("npm run preflight prints what is missing and exits with 1, and with 2 when it cannot ask", async () => {
  const folder = mkdtempSync(path.join(tmpdir(), "preflight-"));
  writeFileSync(path.join(folder, "cdk.json"), JSON.stringify({ context: { "vitaline:stages": { staging: stated } } }));
  const run = (more: NodeJS.ProcessEnv, ...args: string[]) =>
    promisify(execFile)(process.execPath, [path.resolve("infra/preflight/cli.ts"), ...args], {
      cwd: folder,
      env: { PATH: process.env["PATH"], HOME: folder, ...more },
    }).then(
      ({ stdout }) => ({ code: 0, stdout, stderr: "" }),
      ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({ code, stdout, stderr }),
    );
  const credentials = { AWS_ENDPOINT_URL: it.aws.url, AWS_ACCESS_KEY_ID: "operator", AWS_SECRET_ACCESS_KEY: "a-secret-that-signs" };
  try {
    expect(await run(credentials, "--stage", "staging")).toMatchObject({ code: 0, stdout: expect.stringContaining("lacks nothing") });
    it.aws.account.mail.hasProductionAccess = false;
    expect(await run(credentials, "--stage", "staging")).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/lacks:\n- SES is in its sandbox/),
    });
    expect(await run(credentials, "--stage", "local")).toMatchObject({
      code: 2,
      stderr: "The local stage runs on this machine and needs no account.\n",
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
});
