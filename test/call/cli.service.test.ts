import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { command } from "./command.ts";
import { CannotCall } from "./demo-file.ts";
import { scenarios } from "./scenarios.ts";
import { startClinics, type Clinics } from "../../functions/voice/clinics.fixture.ts";

vi.setConfig({ testTimeout: 30_000 });

let town: Clinics;
let dataDir: string;
beforeAll(async () => {
  town = await startClinics();
  dataDir = await mkdtemp(path.join(tmpdir(), "vitaline-call-"));
}, 60_000);
afterAll(async () => {
  await town.close();
  await rm(dataDir, { recursive: true });
});

beforeEach(async () => {
  vi.spyOn(process.stdout, "write").mockImplementation(() => true);
  await writeDemo({});
});
afterEach(() => vi.restoreAllMocks());

const writeDemo = (more: object) => {
  const { r4, patients } = town.clinics[0].sandbox;
  const tenants = town.clinics.map(({ id, apiKey }, index) => ({
    id,
    name: `Clinic ${index + 1}`,
    apiKey,
    admin: { email: `${index + 1}@clinic.example`, password: "p" },
  }));
  return writeFile(path.join(dataDir, "demo.json"), JSON.stringify({ origin: town.origin, tenants, ehr: { r4 }, patients, ...more }));
};

type Printed = { code: number; out: string; err: string };
const asProcess = (args: string[]): Promise<Printed> =>
  new Promise((resolve) => {
    execFile(
      process.execPath,
      [path.join(import.meta.dirname, "cli.ts"), ...args],
      { env: { ...process.env, VITALINE_DATA: dataDir } },
      (error, out, err) => resolve({ code: error ? Number(error.code) : 0, out, err }),
    );
  });
const call = async (args: string[], data = dataDir): Promise<string> => {
  let out = "";
  await command(args, data, (lines) => void (out += `${lines.join("\n")}\n`));
  return out;
};
/** The sentence of a call that cannot be made, before which nothing is printed. */
const refusal = async (args: string[], data = dataDir): Promise<string> => {
  let out = "";
  const error = await command(args, data, (lines) => void (out += lines.join("\n"))).catch((thrown: unknown) => thrown);
  expect([error instanceof CannotCall, out]).toEqual([true, ""]);
  return (error as CannotCall).message;
};

describe("npm run call", () => {
  it("prints both sides' lines, the tools in words, what came of it, and the link to the booking", async () => {
    const { code, out } = await asProcess(["--platform", "vapi", "--scenario", "book"]);
    const { given, family, id } = town.clinics[0].sandbox.patients[0]!;
    expect(code).toBe(0);
    expect(out).toContain("Call 1 of 1: book, through vapi, to Clinic 1");
    expect(out).toMatch(
      new RegExp(`\\n *\\d+:\\d\\d  Patient  I'm ${given} ${family}, born \\w+ \\d+, \\d{4}, and my number is \\d{3} \\d{3} \\d{4}\\.`),
    );
    expect(out).toMatch(
      new RegExp(
        `  Tool     Checks who is calling \\(first name: ${given}; last name: ${family}; date of birth: \\w+ \\d+, \\d{4}; [^]*\\. Answered, in \\d+ ms\\.\n`,
      ),
    );
    expect(out).toMatch(/ {2}Tool {5}Checks .*\n *\d+:\d\d {2}Agent {4}\w.*\n/);
    expect(out).toMatch(
      / {2}Tool {5}Books an appointment \(time: \w+day, \w+ \d+ at (?:\d+:\d\d [AP]M|noon) with Dr\. [\w ]+\)\. Answered, in \d+ ms\.\n/,
    );
    expect(out).not.toMatch(/[{}]|slotId/);
    expect(out).not.toContain(id);
    expect(out).toMatch(
      /\nThe caller booked an appointment\.\nAppointment (\S+) was booked: http:\/\/127\.0\.0\.1:\d+\/r4\/Appointment\/\1\n/,
    );
    expect(out).toMatch(/Call [0-9a-f-]{36} is in the dashboard of Clinic 1: .*\/tenant-dashboard \(sign in as 1@clinic\.example\)\./);
  });

  it("prints each tool's request and answer as JSON when asked to", async () => {
    const out = await call(["--scenario", "wrong-choice", "--json"]);
    expect(out).toMatch(/-> verifyPatientIdentity \{"firstName":.*\n {7}<- ok \(\d+ ms\) "Thanks, /);
    expect(out).toMatch(
      /-> scheduleAppointment \{"action":"book","slotId":"the fifth one"\}\n {7}<- no \(\d+ ms\) ".*\?"\n {10}\{"result":"choose"/,
    );
  });

  it("makes several calls to another tenant, by one patient after the other", async () => {
    const out = await call(["--scenario", "wrong-person", "--tenant", "2", "--count", "2"]);
    const [first, second] = town.clinics[0].sandbox.patients;
    expect(out).toMatch(new RegExp(`Call 1 of 2: wrong-person.*to Clinic 2[^]*${first!.given}[^]*Call 2 of 2[^]*${second!.given}`));
    expect(out).toContain("Nothing was booked or changed in the schedule.");
  });

  it("calls any tenant by its key, also without demo data", async () => {
    const [, two] = town.clinics;
    const empty = path.join(dataDir, "nothing");
    const out = await call(["--key", two.apiKey, "--origin", `${town.origin}/`, "--scenario", "book"], empty);
    expect(out).toContain("Call 1 of 1: book, through vapi, to the tenant of this key");
    expect(out).toMatch(/^Appointment \S+ was booked\.$/m);
    expect(out).toContain(`is in the dashboard of the tenant of this key: ${town.origin}/tenant-dashboard.`);
    expect(await call(["--key", two.apiKey, "--scenario", "transfer"])).toContain("Call 1 of 1: transfer, through vapi");
  });

  it("names the source of a refused key and how to get another", async () => {
    const { apiKey } = town.clinics[0];
    const strange = `${apiKey.slice(0, -1)}${apiKey.endsWith("0") ? "1" : "0"}`;
    expect(await refusal(["--key", strange])).toMatch(/answered 401[^]*\nNo tenant has this key: /);
    await writeDemo({ tenants: [{ id: "t", name: "Clinic", apiKey: strange, admin: { email: "1@clinic.example" } }] });
    expect(await refusal([])).toMatch(/answered 401[^]*\n\S+demo\.json may hold an old key: stop the platform/);
  });

  it("lists options and scenarios when asked for help", async () => {
    const out = await call(["--help"]);
    for (const said of ["--platform", "vapi, retell, elevenlabs, openai, mcp", "--tenant", "--origin", "--count", "VITALINE_DATA"])
      expect(out).toContain(said);
    for (const said of ["--key", "--address", "--secret", "--agent", "--number", "--base-url", "reschedule", "wrong-person"])
      expect(out).toContain(said);
  });

  it.each<[string[], string]>([
    [["--key", "secret"], "--key is a tenant's API key, which begins with vtl_live_."],
    [["--key", "vtl_live_x", "--tenant", "1"], "--tenant is for the demo's tenants and --key for any other: give one of them."],
    [["--origin", "localhost:8080"], "--origin is an address such as http://localhost:8080, not localhost:8080."],
    [["--scenario", "refund"], `--scenario refund does not exist; choose from ${Object.keys(scenarios).join(", ")}.`],
    [["--scenario", "constructor"], `--scenario constructor does not exist; choose from ${Object.keys(scenarios).join(", ")}.`],
    [["--platform", "twilio"], "--platform twilio does not exist; choose from vapi, retell, elevenlabs, openai, mcp."],
    ...["retell", "elevenlabs", "openai"].map((platform): [string[], string] => [
      ["--key", "vtl_live_x", "--platform", platform],
      `${platform} signs its requests: add --address and --secret, the webhook address and secret of the tenant's voice provider.`,
    ]),
    [
      ["--key", "vtl_live_x", "--platform", "openai", "--address", "http://localhost:1/api/openai/hook/x", "--secret", "s"],
      "openai accepts calls through its own API: add --base-url, the sandbox address of the tenant's voice provider.",
    ],
    [["--key", "vtl_live_x", "--platform", "mcp"], "mcp needs the tenant's MCP address: add --address."],
    [["--secret", "s"], "--address, --secret, --agent, --number and --base-url go with --key: the demo's tenants have theirs."],
    [["--key", "vtl_live_x", "--address", "here"], "--address is an address such as http://localhost:8080, not here."],
    [["--tenant", "3"], "--tenant 3 does not exist; there are 2."],
    [["--tenant", "zero"], "--tenant is a number from 1 up, not zero."],
    [["--count", "0"], "--count is a number from 1 up, not 0."],
    [["--loud"], "The options are invalid; see --help. An example: npm run call -- --platform vapi --scenario book --tenant 1 --count 1"],
  ])("refuses in one sentence: %j", async (args, sentence) => {
    expect(await refusal(args)).toBe(sentence);
  });

  it("prints a refusal as an error and fails", async () => {
    expect(await asProcess(["--tenant", "3"])).toEqual({ code: 1, out: "", err: "--tenant 3 does not exist; there are 2.\n" });
  });

  it("explains how to update a demo.json without the tenants' voice accounts", async () => {
    expect(await refusal(["--platform", "retell"])).toBe(
      `${path.join(dataDir, "demo.json")} has no account of Clinic 1 at retell: stop the platform and start it again with \`npm start\`, which adds it.`,
    );
  });

  it("reports that no platform runs", async () => {
    const empty = path.join(dataDir, "nothing");
    expect(await refusal([], empty)).toBe(
      `There is no ${path.join(empty, "demo.json")}: start the platform with \`npm start\` first. If it runs, VITALINE_DATA must name the same folder as it did for \`npm start\`; call a platform started with --empty with --key.`,
    );
    await writeDemo({ origin: "http://127.0.0.1:9" });
    expect(await refusal([])).toBe("Nothing answers at http://127.0.0.1:9: is the platform running? Start it with `npm start`.");
    await writeDemo({ patients: [] });
    expect(await refusal([])).toContain("was not written by this version of `npm start`");
  });
});
