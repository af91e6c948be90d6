import { newId } from "@vitaline/core";
import { create, keys, update } from "@vitaline/store";
import { afterAll, beforeAll, expect, it } from "vitest";
import { runTool, type ToolCall } from "../index.ts";
import { startTools, type Tools, type Which } from "../test/tools.fixture.ts";

let t: Tools;
const number = "+16175550142";
const [north, south, provider] = [newId(), newId(), newId()];
const configured = { category: "configuration_change", action: "office.create", resourceType: "Office" } as const;
const createdAt = "2026-11-20T10:00:00Z";
const always = { start: "00:00", end: "23:59", timezone: "UTC" };

beforeAll(async () => {
  t = await startTools();
  const office = (id: string, name: string, phone: string) =>
    create(keys.office(id), {
      ...{ id, name, phone, isActive: true, createdAt, businessHours: always },
      staffRouting: [{ label: `${name} desk`, phone, reasons: [] }],
    });
  for (const which of [0, 1] as const)
    await t
      .context(which)
      .store.commit(
        [office(north, "North", which === 0 ? "(617) 555-0142" : "617-555-0199"), office(south, "South", "617-555-0143")],
        configured,
      );
  const agent = (id: string, officeId?: string) =>
    create(keys.agentAssignment("vapi", id), {
      assignmentId: newId(),
      voiceProviderId: provider,
      isActive: true,
      ...(officeId ? { officeId } : {}),
    });
  await t.context(0).store.commit(
    [
      create(keys.voiceProvider(provider), {
        id: provider,
        providerType: "vapi",
        providerName: "Vapi",
        settings: "{}",
        isActive: true,
        createdAt,
      }),
      agent("of-south", south),
      agent("tenants-own"),
    ],
    configured,
  );
}, 60_000);
afterAll(() => t.close());

const route = async (more: Partial<ToolCall>, which: Which = 0) => {
  const call: ToolCall = { ...t.phone(which).call("logRoutingEvent", { reason: "billing", outcome: "transferred" }), ...more };
  const { answer, requests } = await t.cost(() => runTool(t.context(which), call));
  const { destinations } = answer.output as { destinations: { label: string }[] };
  const count = (name: string) => requests.filter((request) => request === name).length;
  return { desk: destinations[0]?.label, queries: count("Query"), gets: count("GetItem") };
};

it("a call is of the office whose number was called, where neither its address nor its agent says which", async () => {
  expect((await route({ calledNumber: number })).desk).toBe("North desk");
  const { gets } = await route({ officeId: south });
  for (const agentId of [undefined, "tenants-own", "never-assigned"])
    expect(await route({ ...(agentId ? { agentId } : {}), calledNumber: number })).toEqual({ desk: "North desk", queries: 0, gets });
  expect((await route({ calledNumber: "617 555 0143" })).desk).toBe("South desk");
  expect((await route({ calledNumber: number }, 1)).desk).not.toBe("North desk");
});

it("what else says which office it is goes first, and then no office is looked for", async () => {
  expect(await route({ agentId: "of-south", calledNumber: number })).toMatchObject({ desk: "South desk", queries: 0 });
  expect(await route({ officeId: south, calledNumber: number })).toMatchObject({ desk: "South desk", queries: 0 });
  expect(await route({ officeId: south, agentId: "tenants-own", calledNumber: number })).toMatchObject({ desk: "South desk", queries: 0 });
});

it("an unknown number, or one of an inactive office, leaves the call with the tenant", async () => {
  expect((await route({ calledNumber: "+16175550188" })).desk).toBe("the clinic");
  const setActive = (isActive: boolean) =>
    t
      .context(0)
      .store.commit(
        [update(keys.office(north), { set: { isActive } }), update(keys.officeNumbersVersion(), { add: { version: 1 } })],
        configured,
      );
  await setActive(false);
  const { desk } = await route({ calledNumber: number });
  await setActive(true);
  // The remaining one is the tenant's only office.
  expect(desk).toBe("South desk");
});
