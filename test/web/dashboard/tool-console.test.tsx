import { execFileSync } from "node:child_process";
import { screen, within } from "@testing-library/react";
import { keyPlaceholder, tools, type TestedTool } from "@vitaline/contract";
import { describe, expect, test } from "vitest";
import { toolRequirements } from "../../../web/src/features/tools/tool-form.tsx";
import { demo } from "../../kit/screen/demo-answers.ts";
import { refusal, type FakeApi } from "../../kit/screen/fake-api.ts";
import {
  asTenant,
  button,
  clipboard,
  eventually,
  fill,
  hasFocus,
  isGone,
  labeled,
  link,
  reads,
  region,
  settled,
  textOf,
} from "../../kit/screen/visit.tsx";

const listed = demo("tenant_admin", tools.listTools);
const panel = () => region("Test a tool");
const testCall = () => region("Test call");
const question = () => screen.getByRole("alertdialog");
const sent = (api: FakeApi) => api.received(tools.testTool);
const patient = { firstName: "Robin", lastName: "Newcome", dateOfBirth: "1984-03-02", phoneNumber: "617 555 0168" };

const answer = (change: Partial<TestedTool> = {}): TestedTool => ({
  ok: true,
  code: null,
  speech: "Done.",
  output: {},
  requestId: "req-tool",
  ms: 12.5,
  sessionId: "session-1",
  modelTexts: [],
  ...change,
});
const refused = (code: string) => answer({ ok: false, code, speech: "I cannot do that yet.", output: null });

/** Runs tools as the API does: a session knows who was verified in it, and what changes something has to be confirmed. */
const keepTools = (api: FakeApi) => {
  const verified = new Set<string>();
  let sessions = 0;
  api.on(tools.testTool, ({ params: { name }, body }) => {
    const sessionId = body.sessionId ?? `session-${(sessions += 1)}`;
    const tool = listed.find((one) => one.name === name);
    if (tool?.effect === "write" && !body.confirm) return refusal(422, { error: "It has to be confirmed.", code: "confirmation_required" });
    if (name === "verifyPatientIdentity") {
      if (body.arguments["lastName"] === undefined) return answer({ ...refused("invalid_arguments"), sessionId });
      verified.add(sessionId);
    } else if (tool?.level !== 0 && !verified.has(sessionId)) return answer({ ...refused("identity_required"), sessionId });
    return answer({ sessionId, speech: name === "getPatientInfo" ? `The record of ${patient.lastName}.` : "Done." });
  });
};
const openConsole = (tool?: string, before: (api: FakeApi) => void = () => {}) =>
  asTenant(`/tenant/developers/test${tool ? `?tool=${tool}` : ""}`, {
    before: (api) => {
      keepTools(api);
      before(api);
    },
  });
type User = Awaited<ReturnType<typeof openConsole>>["user"];
const run = (user: User) => user.click(button("Run tool", panel()));
const choose = async (user: User, tool: string) => {
  await user.selectOptions(labeled("Tool", panel()), tool);
  await eventually(() => expect(new URLSearchParams(location.search).get("tool")).toBe(tool));
};
const stored = () => JSON.stringify({ ...localStorage, ...sessionStorage }) + location.href;

describe("the console", () => {
  test("lists every tool that agents have, with a form made of its schema, and keeps the choice in the address", async () => {
    const { user } = await openConsole();
    const options = [...labeled<HTMLSelectElement>("Tool", panel()).options];
    expect(options.map(({ value }) => value)).toEqual(listed.map(({ name }) => name));
    await choose(user, "scheduleAppointment");
    expect(location.search).toBe("?tool=scheduleAppointment");
    const next = await openConsole("scheduleAppointment");
    expect(textOf(panel())).toMatch(/Can change something.*Verified caller/);
    const actions = [...labeled<HTMLSelectElement>("Action", panel()).options].map(({ text }) => text);
    expect(actions).toEqual(["Leave out", "Find", "Book", "List", "Reschedule", "Cancel"]);
    await choose(next.user, "getPatientClinicalData");
    await reads(panel, /Only reads/);
    const categories = within(panel()).getByRole("group", { name: /Categories/ });
    expect(within(categories).getAllByRole("checkbox")).toHaveLength(5);
    await choose(next.user, "getPatientInfo");
    const form = await within(panel()).findByRole("form", { name: "Arguments" });
    await eventually(() => expect(within(form).getAllByRole("textbox")).toHaveLength(1));
    expect(within(form).getByRole("textbox", { name: /^Language/ })).toBeTruthy();
  });

  test("runs as one call: an identity that was verified holds until one starts over, and nothing of the patient is left behind", async () => {
    const { api, user } = await openConsole("getPatientInfo");
    await run(user);
    await reads(testCall, /Refused: identity_required/);
    await choose(user, "verifyPatientIdentity");
    fill("First name", patient.firstName, panel());
    fill("Last name", patient.lastName, panel());
    fill("Date of birth", patient.dateOfBirth, panel());
    fill("Phone number", patient.phoneNumber, panel());
    await run(user);
    await reads(testCall, /verifyPatientIdentity Answered/);
    await choose(user, "getPatientInfo");
    await run(user);
    await reads(testCall, new RegExp(`getPatientInfo Answered.*What a caller would hear.*${patient.lastName}`));
    await reads(testCall, /Took [\d,.]+ ms.*Request ID.*POST \/api\/tenant\/tools\/getPatientInfo.*"sessionId"/);
    expect(sent(api).map(({ params, body }) => [params.name, body.arguments, body.sessionId])).toEqual([
      ["getPatientInfo", {}, undefined],
      ["verifyPatientIdentity", patient, "session-1"],
      ["getPatientInfo", {}, "session-1"],
    ]);
    const earlier = screen.getByRole("list", { name: "Earlier in this test call" });
    expect(within(earlier).getAllByRole("listitem")).toHaveLength(2);
    expect(stored()).not.toContain(patient.lastName);
    await user.click(button("Start over", testCall()));
    await hasFocus(() => screen.getByRole("heading", { name: "Test call" }));
    await reads(testCall, /Its answer appears here/);
    await run(user);
    await reads(testCall, /Refused: identity_required/);
  });

  test("shows to the letter what the agent's model sees at each platform, with its length, and keeps the platform for the next run", async () => {
    const textOn = (platform: string, nth: number) => `{"speech":"Answer ${nth} <b>on</b> ${platform}"}`;
    let runs = 0;
    const { user } = await openConsole("getFhirProviders", (api) =>
      api.on(tools.testTool, () => {
        runs += 1;
        return answer({
          modelTexts: (["vapi", "retellai", "elevenlabs", "openai", "mcp"] as const).map((platform) => ({
            platform,
            text: textOn(platform, runs) + " ".repeat(platform === "mcp" ? 1150 : 0),
          })),
        });
      }),
    );
    await run(user);
    await eventually(() => expect(region("Text for the model, Vapi").textContent).toBe(textOn("vapi", 1)));
    await reads(testCall, /What the model sees.*36 of at most 1,200 characters/);
    const platforms = labeled<HTMLSelectElement>("Voice platform", testCall());
    expect([...platforms.options].map(({ text }) => text)).toEqual(["Vapi", "Retell AI", "ElevenLabs", "OpenAI Realtime", "MCP"]);
    await user.selectOptions(platforms, "mcp");
    await eventually(() => expect(region("Text for the model, MCP").textContent).toContain(textOn("mcp", 1)));
    await reads(testCall, /1,185 of at most 1,200 characters/);
    await run(user);
    await eventually(() => expect(region("Text for the model, MCP").textContent).toContain(textOn("mcp", 2)));
  });

  test("says what is wrong at its field, sends nothing then, and keeps what was typed for each tool", async () => {
    const { api, user } = await openConsole("createPatientFhir");
    fill("First name", "Robin", panel());
    await run(user);
    await reads(panel, /Last name ?Is required/);
    await hasFocus(() => labeled("Last name", panel()));
    expect(sent(api)).toEqual([]);
    await choose(user, "getFhirProviders");
    await choose(user, "createPatientFhir");
    expect(labeled("First name", panel()).value).toBe("Robin");
  });

  test("says what a tool needs whose arguments can stand for each other", async () => {
    for (const [name, { fields }] of Object.entries(toolRequirements)) {
      const schema = listed.find((tool) => tool.name === name)?.inputSchema;
      expect(schema).toMatchObject({ properties: Object.fromEntries(fields.map((field) => [field, expect.anything()])) });
    }
    const { user } = await openConsole("verifyPatientIdentity");
    await reads(panel, /First name, last name, date of birth and one detail on file are needed/);
    const labels = [...panel().querySelectorAll("form label")].map((label) => textOf(label).replace(/ ?\(/, " ("));
    expect(labels.slice(0, 5)).toEqual(["First name", "Last name", "Date of birth", "Phone number (optional)", "Zip code (optional)"]);
    await run(user);
    await reads(testCall, /Refused: invalid_arguments/);
    await choose(user, "getFhirProviders");
    await eventually(() => expect(textOf(panel())).not.toContain("on file are needed"));
  });

  test("asks before something is changed, and does it once however often one agrees", async () => {
    const { api, user } = await openConsole("logRoutingEvent");
    fill("Reason", "billing", panel());
    await user.selectOptions(labeled("Outcome", panel()), "resolved");
    await run(user);
    await reads(panel, /what a tool writes there is real\. Messages and codes to patients are not sent/);
    await reads(question, /Change it for real\?.*“Route to staff” \(logRoutingEvent\) changes something.*leaves no task or lead/);
    await hasFocus(() => button("Cancel", question()));
    await user.keyboard("{Escape}");
    await isGone("alertdialog");
    await run(user);
    await reads(question, /“Route to staff” \(logRoutingEvent\) changes something/);
    await user.dblClick(button("Run tool", question()));
    await reads(testCall, /logRoutingEvent Answered/);
    expect(sent(api).map(({ body }) => body.confirm)).toEqual([false, false, true]);
    expect(sent(api).at(-1)?.body.arguments).toEqual({ reason: "billing", outcome: "resolved" });
  });

  test("tells what refused a run, and a half-filled form is still there", async () => {
    const { api, user } = await openConsole("getFhirProviders");
    const told = { error: "Too many tests in a minute.", code: "too_many_requests", requestId: "r-1" };
    api.once(tools.testTool, () => refusal(429, told));
    fill("Specialty", "cardiology", panel());
    await run(user);
    await reads(() => within(testCall()).getByRole("alert"), /not run.*many tests in a minute.*r-1/);
    expect(labeled("Specialty", panel()).value).toBe("cardiology");
    await run(user);
    await reads(testCall, /getFhirProviders Answered/);
    expect(within(testCall()).queryAllByRole("alert")).toHaveLength(0);
  });

  test("shows what a record system answers as text alone", async () => {
    const evil = `<img src=x onerror="document.title='taken'">`;
    const { user } = await openConsole("getFhirProviders", (api) =>
      api.on(tools.testTool, () => answer({ speech: evil, output: { evil } })),
    );
    await run(user);
    await eventually(() => expect(testCall().querySelector("blockquote")?.textContent).toBe(evil));
    expect(testCall().querySelectorAll("img")).toHaveLength(0);
    expect(document.title).not.toBe("taken");
  });

  test("list that does not load leaves the rest of the tab alone, and loads when asked again", async () => {
    let isDown = true;
    const { user } = await openConsole(undefined, (api) =>
      api.on(tools.listTools, () => (isDown ? refusal(503, { error: "Not now." }) : listed)),
    );
    await reads(panel, /Failed to load tools.*Not now\./);
    expect(link("Webhooks")).toBeTruthy();
    isDown = false;
    await user.click(button("Retry", panel()));
    await reads(panel, /Only reads|Can change something/);
    expect(within(panel()).queryAllByRole("alert")).toHaveLength(0);
  });
});

describe("the command for a shell", () => {
  /** What a shell would hand curl. */
  const argumentsIn = (command: string): string[] =>
    execFileSync("sh", ["-c", `curl() { printf '%s\\0' "$@"; }\n${command}`], { encoding: "utf8" }).split("\0");
  const copy = async (user: User): Promise<string> => {
    await navigator.clipboard.writeText("");
    await user.click(button(/^Cop.* The same with curl$/));
    await eventually(async () => expect(await clipboard()).not.toBe(""));
    return clipboard();
  };
  const keyOfCopy = async (user: User): Promise<string | undefined> => /Bearer [^']*/.exec(await copy(user))?.[0];
  const giveKey = async (user: User, key: string) => {
    await user.click(button("Use my API key"));
    await hasFocus(() => labeled("Your API key"));
    await user.paste(key);
    await user.keyboard("{Enter}");
  };

  test("holds a key only where one was put in, shows it nowhere, and does what it says", async () => {
    const { user } = await openConsole("getFhirProviders");
    const key = "vtl_live_typed";
    fill("Name", "Dr. O'Neil", panel());
    expect(await keyOfCopy(user)).toBe(`Bearer ${keyPlaceholder}`);
    await giveKey(user, key);
    await reads(panel, /Copied with your API key/);
    await hasFocus(() => button("Forget my API key"));
    expect(stored() + document.documentElement.innerHTML).not.toContain(key);
    const [, , address, , authorization, , , , body = ""] = argumentsIn(await copy(user));
    expect(address).toBe(`${location.origin}/api/vapi/tool-call`);
    expect(authorization).toBe(`Authorization: Bearer ${key}`);
    expect(JSON.parse(body)).toMatchObject({
      message: { type: "tool-calls", toolCallList: [{ function: { name: "getFhirProviders", arguments: { name: "Dr. O'Neil" } } }] },
    });
    await user.click(button("Forget my API key"));
    await reads(panel, /YOUR_API_KEY in the key’s place/);
    expect(await keyOfCopy(user)).toBe(`Bearer ${keyPlaceholder}`);
  });

  test("takes the key that another client keeps in this browser, until it is forgotten", async () => {
    localStorage.setItem("tenant_api_key", "kept-elsewhere");
    const { user } = await openConsole("getFhirProviders");
    await reads(panel, /Copied with your API key/);
    expect(await keyOfCopy(user)).toBe("Bearer kept-elsewhere");
    await user.click(button("Forget my API key"));
    await reads(panel, /YOUR_API_KEY in the key’s place/);
    expect(localStorage.getItem("tenant_api_key")).toBeNull();
  });

  test("forgets a key that was typed as soon as one leaves the page", async () => {
    const { user } = await openConsole("getFhirProviders");
    await giveKey(user, "typed-here");
    await reads(panel, /Copied with your API key/);
    await user.click(link("Webhooks"));
    await reads(() => screen.queryByRole("region", { name: "Webhooks" }), /webhook/);
    await user.click(link("Test a tool"));
    await reads(() => screen.queryByRole("region", { name: "Test a tool" }), /Run tool/);
    await settled();
    expect(await keyOfCopy(user)).toBe(`Bearer ${keyPlaceholder}`);
    await reads(panel, /YOUR_API_KEY in the key’s place/);
  });
});
