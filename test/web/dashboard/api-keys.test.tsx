import { screen, within } from "@testing-library/react";
import { keyPlaceholder, snippets, tenant, tenantCalls, tools, type TenantInfo } from "@vitaline/contract";
import { describe, expect, test, vi } from "vitest";
import { demo, recordedAt } from "../../kit/screen/demo-answers.ts";
import { refusal, type FakeApi } from "../../kit/screen/fake-api.ts";
import { demoKey, hiddenKey, keepKeys, keyPart, keyText, wholeKey } from "../../kit/screen/keys.ts";
import { demoOffice } from "../../kit/screen/offices.ts";
import {
  asTenant,
  button,
  clipboard,
  described,
  eventually,
  holdTime,
  labeled,
  reads,
  region,
  settled,
  textOf,
  toast,
} from "../../kit/screen/visit.tsx";
import { proves } from "../../requirements/proves.ts";

const bullets = "•".repeat(32);
const info = demo("tenant_admin", tenant.tenantInfo);

const [connectPage, toolCallsPage] = ["/tenant/developers", "/tenant/developers/tool-calls"];
const openKeys = async (before: (api: FakeApi) => void = () => {}, address = "/tenant?tab=api-keys") => {
  const arranged: ReturnType<typeof keepKeys>[] = [];
  const opened = await asTenant(address, {
    before: (api) => {
      arranged.push(keepKeys(api));
      before(api);
    },
  });
  return { ...opened, keys: arranged[0] as ReturnType<typeof keepKeys> };
};
const show = async ({ user }: Pick<Awaited<ReturnType<typeof openKeys>>, "user">): Promise<string> => {
  await user.click(button("Show API key"));
  await eventually(() => expect(keyText()).toMatch(wholeKey));
  await settled();
  return keyText();
};
const isHidden = () => eventually(() => expect(keyText()).toBe(bullets));
const withInfo = (change: Partial<TenantInfo>) => (api: FakeApi) => api.on(tenant.tenantInfo, () => ({ ...info, apiKey: null, ...change }));
const html = () => document.documentElement.innerHTML;

describe("the key", () => {
  proves("D1.2-075", async ({ sees }) => {
    await openKeys();
    sees(textOf(screen.getByRole("heading", { level: 2, name: "API Key Management" })));
    expect(keyPart()).toBeTruthy();
  });
  proves("D1.2-076", async () => {
    await openKeys();
    expect(textOf(hiddenKey())).toBe(bullets);
    expect(html()).not.toContain("vtl_live_");
  });
  proves("D1.9-016", async () => {
    await openKeys();
    expect([...textOf(hiddenKey())]).toEqual(Array<string>(32).fill("•"));
  });
  proves("D1.2-077", async () => {
    const { user } = await openKeys();
    expect(await show({ user })).toBe(demoKey);
    expect(screen.queryAllByRole("button", { name: "Show API key" })).toHaveLength(0);
    await user.click(button("Hide API key"));
    await isHidden();
  });
  proves("D1.4-017", async () => {
    const { user } = await openKeys();
    for (let turn = 0; turn < 2; turn++) {
      expect(keyText()).toBe(bullets);
      expect(await show({ user })).toMatch(wholeKey);
      await user.click(button("Hide API key"));
      await isHidden();
    }
  });
  proves("D1.2-078", async () => {
    const { user } = await openKeys();
    await user.click(button("Copy API key"));
    await eventually(async () => expect(await clipboard()).toBe(demoKey));
    expect(textOf(hiddenKey())).toBe(bullets);
  });
  proves("D1.8-010", async ({ sees }) => {
    const { user } = await openKeys();
    await user.click(button("Copy API key"));
    await reads(toast, /Copied API key copied to clipboard/);
    sees(textOf(toast()));
  });
  proves("D1.9-044", async () => {
    const { user } = await openKeys();
    holdTime();
    await user.click(button("Copy API key"));
    await eventually(() => expect(textOf(button(/^Cop.* API key$/))).toMatch(/^Copied/));
    vi.advanceTimersByTime(1900);
    await settled();
    expect(textOf(button(/^Cop.* API key$/))).toMatch(/^Copied/);
    vi.advanceTimersByTime(100);
    await eventually(() => expect(textOf(button(/^Cop.* API key$/))).toMatch(/^Copy/));
  });
  proves("D1.2-079", async ({ sees }) => {
    await openKeys();
    expect(described("Status", keyPart())).toBe("Active");
    sees(textOf(keyPart()));
    await openKeys(withInfo({ isActive: false }));
    expect(described("Status", keyPart())).toBe("Inactive");
    sees(textOf(keyPart()));
  });
  proves("D1.2-080", async ({ sees }) => {
    await openKeys();
    expect(described("Organization", keyPart())).toBe(info.organizationName);
    await openKeys(withInfo({ organizationName: "" }));
    expect(described("Organization", keyPart())).toBe("Not set");
    sees(textOf(keyPart()));
  });
  proves("D1.2-081", async ({ sees }) => {
    await openKeys();
    expect(described("Created", keyPart())).toMatch(/^[A-Z][a-z]{2} \d{1,2}, \d{4}$/);
    await openKeys(withInfo({ createdAt: null }));
    expect(described("Created", keyPart())).toBe("Unknown");
    sees(textOf(keyPart()));
  });
  proves("D1.2-087", async ({ sees }) => {
    const gate = Promise.withResolvers<TenantInfo>();
    const opening = openKeys((api) => api.on(tenant.tenantInfo, () => gate.promise));
    await reads(() => screen.queryByRole("region", { name: "API Key Management" }), "Loading API key information...");
    sees(textOf(keyPart()));
    gate.resolve({ ...info, apiKey: null });
    await opening;
    await isHidden();
    expect(textOf(keyPart())).not.toContain("Loading");
  });

  test("is not shown to an administrator who views as the tenant, who sees all that stands around it", async () => {
    const until = new Date(recordedAt.getTime() + 600_000).toISOString();
    const me = { viewAs: { tenantId: info.tenantId, tenantName: info.organizationName, until } };
    const arranged: ReturnType<typeof keepKeys>[] = [];
    await asTenant("/tenant?tab=api-keys", { me, before: (api) => void arranged.push(keepKeys(api)) });
    await reads(keyPart, new RegExp(`not shown while you view as the tenant.*Status Active.*${info.organizationName}.*Created [A-Z]`));
    expect(within(keyPart()).queryAllByRole("button", { name: /Show|Copy|Regenerate/ })).toHaveLength(0);
    expect(arranged.map((keys) => keys.looks())).toEqual([0]);
    await asTenant(connectPage, { me, before: (api) => void arranged.push(keepKeys(api)) });
    const configuration = region("Platform Configuration");
    await reads(configuration, `Bearer ${keyPlaceholder}`);
    expect(within(configuration).queryAllByRole("button", { name: "Show the key" })).toHaveLength(0);
    expect(textOf(document.body)).not.toContain("Failed to load");
    expect(arranged.map((keys) => keys.looks())).toEqual([0, 0]);
  });

  test("is asked for at each look and not before, and stays neither in the page nor in the browser's storage", async () => {
    const { user, keys } = await openKeys();
    const stored = () => JSON.stringify({ ...localStorage, ...sessionStorage });
    expect(keys.looks()).toBe(0);
    expect(html() + stored()).not.toContain("vtl_live_");
    await show({ user });
    expect(keys.looks()).toBe(1);
    await user.click(button("Copy API key"));
    await reads(toast, /Copied/);
    expect(keys.looks()).toBe(1);
    await user.click(button("Hide API key"));
    await user.click(button(/^Cop.* API key$/));
    await eventually(() => expect(keys.looks()).toBe(2));
    await settled();
    expect(html() + stored()).not.toContain(demoKey);
  });

  test("is hidden again after a minute, and as soon as the page is out of sight", async () => {
    const { user } = await openKeys();
    holdTime();
    await show({ user });
    vi.advanceTimersByTime(45_000);
    await settled();
    expect(keyText()).toMatch(wholeKey);
    vi.advanceTimersByTime(15_000);
    await isHidden();
    await show({ user });
    vi.spyOn(document, "visibilityState", "get").mockReturnValue("hidden");
    document.dispatchEvent(new Event("visibilitychange"));
    await isHidden();
  });

  test("that cannot be put into the clipboard says so, and can still be shown", async () => {
    const { user } = await openKeys();
    const refuse = () => Promise.reject(new DOMException("No", "NotAllowedError"));
    for (const name of ["write", "writeText"] as const) vi.spyOn(navigator.clipboard, name).mockImplementation(refuse);
    await user.click(button("Copy API key"));
    await reads(toast, /Copy Failed Failed to copy API key to clipboard\./);
    expect(await show({ user })).toMatch(wholeKey);
    await user.click(button(/^Copy.* API key$/));
    await reads(toast, /Copy Failed/);
  });

  test("that cannot be read is told, and stays hidden until another try", async () => {
    const { api, user, keys } = await openKeys();
    api.once(tenant.tenantInfo, () => refusal(503, { error: "The key is out of reach." }));
    await user.click(button("Show API key"));
    await reads(toast, /Error The key is out of reach\./);
    expect(keyText()).toBe(bullets);
    api.once(tenant.tenantInfo, () => refusal(503, { error: "The key is still out of reach." }));
    await user.click(button("Copy API key"));
    await reads(toast, /Error The key is still out of reach\./);
    expect(await show({ user })).toBe(keys.current());
  });

  test("whose facts do not load leaves the rest of the tab alone, and can be asked for again", async () => {
    const { user } = await openKeys((api) => api.once(tenant.tenantInfo, () => refusal(503, { error: "Not now.", requestId: "req-info" })));
    await reads(keyPart, /Failed to load API key information.*Not now\..*Request ID: req-info/);
    await reads(region("Using the API Key"), /verifyPatientIdentity/);
    await user.click(button("Retry", keyPart()));
    await isHidden();
    expect(within(keyPart()).queryAllByRole("alert")).toHaveLength(0);
  });
});

describe("what the key is for", () => {
  const usage = () => region("Using the API Key");

  proves("D1.2-084", async () => {
    await openKeys();
    expect(textOf(usage())).toMatch(/bearer token in its Authorization header.*Authorization: Bearer YOUR_API_KEY/);
  });
  proves("D1.2-085", async () => {
    const { user } = await openKeys();
    expect(textOf(usage())).toContain(`${location.origin}/api/vapi/tool-call`);
    expect(textOf(usage())).toContain(`${location.origin}/api/mcp/${info.tenantId}`);
    await user.click(button("Copy Tool-call endpoint", usage()));
    await eventually(async () => expect(await clipboard()).toBe(`${location.origin}/api/vapi/tool-call`));
  });
  proves("D1.2-086", async () => {
    const { user } = await openKeys();
    const named = [...usage().querySelectorAll("summary code")].map(textOf);
    expect(named.toSorted()).toEqual(
      demo("tenant_admin", tools.listTools)
        .map(({ name }) => name)
        .toSorted(),
    );
    expect(named.length).toBeGreaterThanOrEqual(13);
    const groups = within(usage()).getAllByRole("heading", { level: 4 }).map(textOf);
    expect(groups).toEqual(["Patient management", "Clinical actions", "Communication", "Internal operations"]);
    await user.click(within(usage()).getAllByText("verifyPatientIdentity")[0] as HTMLElement);
    await reads(usage(), /Verify who the caller is/);
  });
});

describe("the platform configuration", () => {
  const configuration = () => region("Platform Configuration");

  test("names the addresses and holds the key only while it is shown; what is copied has it", async () => {
    const { user, keys } = await openKeys(undefined, connectPage);
    await reads(configuration, /\/api\/mcp\/.*Bearer YOUR_API_KEY/);
    expect(html()).not.toContain("vtl_live_");
    expect(keys.looks()).toBe(0);
    await user.click(button("Copy All tools over MCP", configuration()));
    await eventually(async () => expect(await clipboard()).toContain(`Bearer ${demoKey}`));
    expect(html()).not.toContain(demoKey);
    await user.click(button("Show the key", configuration()));
    await reads(configuration, `Bearer ${demoKey}`);
    expect(textOf(configuration())).not.toContain("Bearer YOUR_API_KEY");
    await user.click(button("Hide the key", configuration()));
    await reads(configuration, "Bearer YOUR_API_KEY");
    expect(html()).not.toContain(demoKey);
    expect(keys.looks()).toBe(2);
  });

  describe("of the platform and the office", () => {
    const { id: officeId } = demoOffice(0);

    test("that are chosen stands in the address, and is found there again", async () => {
      const { api, user } = await openKeys(undefined, connectPage);
      await user.selectOptions(labeled("Voice platform", configuration()), "Any MCP client");
      await reads(configuration, "mcpServers");
      await user.selectOptions(labeled("Office", configuration()), officeId);
      await reads(configuration, `/api/mcp/${info.tenantId}/${officeId}`);
      expect(api.received(snippets.snippets).at(-1)?.query).toMatchObject({ officeId, withKey: false });
      const address = location.pathname + location.search;
      await openKeys(undefined, address);
      await reads(configuration, new RegExp(`mcpServers.*${officeId}`));
    });
    test("has something to paste into each voice platform", async () => {
      const { user } = await openKeys(undefined, connectPage);
      for (const platform of ["Vapi", "Retell AI", "ElevenLabs", "OpenAI Realtime"]) {
        await user.selectOptions(labeled("Voice platform", configuration()), platform);
        await eventually(() => expect(configuration().querySelectorAll("pre").length).toBeGreaterThan(0));
      }
    });
  });
});

describe("the recent tool calls", () => {
  const calls = () => region("Recent Tool Calls");

  test("show one of an emergency as that, not as failed", async () => {
    await openKeys(
      (api) => api.on(tenantCalls.listToolCalls, () => [{ ...first!, status: "emergency" as const, code: null }]),
      toolCallsPage,
    );
    expect(textOf(calls())).toMatch(/ Emergency /);
    expect(textOf(calls())).not.toMatch(/Failed|Success/);
  });
  const rows = () => [...calls().querySelectorAll("tbody tr")];
  const [first] = demo("tenant_admin", tenantCalls.listToolCalls);
  const many = Array.from({ length: 12 }, (_, at) => ({ ...first!, id: `01m83bhp6c8q9n0124qc6x7j${10 + at}`, requestId: `request-${at}` }));

  test("are listed in the order of the API, each with its call and its request", async () => {
    const { user } = await openKeys((api) => api.on(tenantCalls.listToolCalls, () => many), toolCallsPage);
    const titles = within(calls()).getAllByRole("columnheader").map(textOf);
    expect(titles).toEqual(["Time", "Tool", "Status", "Duration", "Call", "Request ID"]);
    expect(rows()).toHaveLength(10);
    await user.click(button("Show all 12", calls()));
    await eventually(() => expect(rows().map((row) => textOf(row.lastElementChild!))).toEqual(many.map(({ requestId }) => requestId)));
    await reads(calls, "12 tool calls shown");
    const [row] = rows() as HTMLElement[];
    expect(within(row!).getByRole("link").getAttribute("href")).toBe(`/tenant/calls?call=${first!.callId}`);
  });
  test("say so where there are none", async () => {
    await openKeys((api) => api.on(tenantCalls.listToolCalls, () => []), toolCallsPage);
    expect(textOf(calls())).toMatch(/No tool calls yet/);
  });
  test("that do not load can be asked for again", async () => {
    const { user } = await openKeys((api) => api.once(tenantCalls.listToolCalls, () => refusal(503)), toolCallsPage);
    await reads(() => within(calls()).getByRole("alert"), /Failed to load tool calls/);
    await user.click(button("Retry", calls()));
    await eventually(() => expect(rows().length).toBeGreaterThan(0));
  });
});
