import { within } from "@testing-library/react";
import { fhirProviders, type FhirHealth } from "@vitaline/contract";
import { describe, expect, test, vi } from "vitest";
import { recordedAt } from "../../kit/screen/demo-answers.ts";
import { keepEhrs, oldRecords, sandboxEhr } from "../../kit/screen/platform-ehr.ts";
import { asSystem, button, eventually, reads, region, saysWhenRefused, saysWhileLoading, textOf } from "../../kit/screen/visit.tsx";
import { proves } from "../../requirements/proves.ts";

const address = "/admin?tab=fhir";
const { fhirHealthStatus, listFhirProviders, checkFhirProvider } = fhirProviders;

const health = (name: string, at: number, more: Partial<FhirHealth> = {}): FhirHealth => ({
  id: `01m83bhk00000000000000${String(at).padStart(4, "0")}`,
  name,
  endpoint: "https://ehr.example/r4",
  status: "unknown",
  lastChecked: null,
  certificateExpiry: null,
  history: [],
  ...more,
});
const went = (marks: string): FhirHealth["history"] =>
  [...marks].map((mark, minute) => ({
    at: `2026-05-01T09:${String(minute).padStart(2, "0")}:00.000Z`,
    status: mark === "+" ? "healthy" : "unhealthy",
    ms: 80,
  }));
const inDays = (days: number): string => new Date(recordedAt.getTime() + days * 86_400_000 + 3_600_000).toISOString();
const three = [
  health("Good EHR", 1, { status: "healthy", lastChecked: "2026-05-01T09:00:00.000Z", history: went("+-+") }),
  health("Bad EHR", 2, {
    status: "unhealthy",
    message: "Ask its administrator.",
    certificateExpiry: inDays(12),
    history: went("+++-++++++++++++++-+"),
  }),
  health("New EHR", 3, { certificateExpiry: inDays(200) }),
];
const openTab = (providers: FhirHealth[] = three) =>
  asSystem(address, { before: (api) => api.on(fhirHealthStatus, () => ({ providers })) });
const panel = (): HTMLElement => region("Connection Health");
const items = (): HTMLElement[] => within(within(panel()).getByRole("list", { name: "Connections" })).getAllByRole("listitem");
const itemOf = (name: string): HTMLElement => items().find((one) => textOf(one).startsWith(`${name} `)) as HTMLElement;

describe("connection health", () => {
  proves("D2.2-048", async ({ sees }) => {
    await openTab();
    const figures = textOf(panel().querySelector("dl") as HTMLElement);
    sees(figures);
    expect(figures).toBe("Healthy 1 Unhealthy 1 Unknown 1");
  });
  proves("D2.2-050", async ({ sees, quoted }) => {
    await openTab();
    expect(textOf(itemOf("Good EHR"))).toContain("Last checked May 1");
    expect(textOf(itemOf("New EHR"))).toContain(quoted[0]);
    sees(textOf(itemOf("New EHR")));
  });
  proves("D2.2-051", async () => {
    await openTab();
    expect(textOf(itemOf("Bad EHR"))).toMatch(/Certificate expires [A-Z][a-z]{2} \d+, \d{4} ?Expires in 12 days/);
    expect(textOf(itemOf("New EHR"))).toMatch(/Certificate expires (?!.*Expires in)/);
    expect(textOf(itemOf("Good EHR"))).not.toContain("Certificate");
  });
  proves("D2.2-052", async ({ sees, quoted }) => {
    const text = await saysWhileLoading(address, fhirHealthStatus, "Connection Health");
    sees(text);
    expect(text).toBe(quoted[0]);
  });
  proves("D2.2-053", async ({ sees, quoted }) => {
    await openTab([]);
    sees(textOf(panel()));
    expect(textOf(panel())).toContain(quoted[0]);
  });
  proves("D2.8-009", async ({ sees, quoted }) => {
    const text = await saysWhenRefused(address, fhirHealthStatus, "Connection Health");
    sees(text);
    expect(text).toContain(quoted[0]);
  });
  proves("D2.9-003", async () => {
    vi.useFakeTimers({ now: recordedAt, toFake: ["Date", "setTimeout", "clearTimeout"], shouldAdvanceTime: true });
    const { api } = await openTab();
    const asked = () => api.received(fhirHealthStatus).length;
    expect(asked()).toBe(1);
    await vi.advanceTimersByTimeAsync(29_000);
    expect(asked()).toBe(1);
    await vi.advanceTimersByTimeAsync(2000);
    await eventually(() => expect(asked()).toBe(2));
    await vi.advanceTimersByTimeAsync(30_000);
    await eventually(() => expect(asked()).toBe(3));
  });

  test("says of each its status, its endpoint and what its last check advises", async () => {
    await openTab();
    expect(textOf(itemOf("Bad EHR"))).toMatch(/^Bad EHR Unhealthy https:\/\/ehr\.example\/r4 .*Ask its administrator\. Check now/);
  });

  test("is looked at again on request", async () => {
    const { user, api } = await asSystem(address, { before: (fake) => keepEhrs(fake, [sandboxEhr, oldRecords]) });
    const check = api.hold(checkFhirProvider);
    await user.click(button("Check now Sandbox EHR"));
    await reads(() => itemOf("Sandbox EHR"), /Never checked Checking\.\.\./);
    await user.click(button("Checking... Sandbox EHR"));
    check.release();
    await reads(() => itemOf("Sandbox EHR"), /Healthy .*Last checked .*Check now/);
    expect(api.received(checkFhirProvider)).toMatchObject([{ params: { id: sandboxEhr.id } }]);
  });

  test("draws how the last checks went, and says it: what failed has another shape", async () => {
    await openTab();
    const words = /^18 of the last 20 checks were healthy; last failure May 1, .*\.$/;
    const picture = within(itemOf("Bad EHR")).getByRole("img", { name: words });
    expect(picture.parentElement?.title).toMatch(words);
    const shapes = [...picture.querySelectorAll("rect, path")].map(({ tagName }) => (tagName.toLowerCase() === "rect" ? "+" : "-"));
    expect(shapes.join("")).toBe("+++-++++++++++++++-+");
    expect(within(itemOf("New EHR")).queryByRole("img")).toBeNull();
  });

  test("remembers a failure after the record system is well again", async () => {
    await openTab();
    expect(textOf(itemOf("Good EHR"))).toMatch(/^Good EHR Healthy /);
    const words = /^2 of the last 3 checks were healthy; last failure May 1, /;
    expect(within(itemOf("Good EHR")).getByRole("img", { name: words })).toBeTruthy();
  });

  test("of many shows a few that need attention first, and all of them when asked", async () => {
    const many = Array.from({ length: 100 }, (_, at) => health(`EHR ${at}`, at, { status: at === 99 ? "unhealthy" : "healthy" }));
    const { user } = await openTab(many);
    expect(textOf(items()[0] as HTMLElement)).toMatch(/^EHR 99 Unhealthy/);
    expect(items().length).toBe(5);
    const more = button("Show all 100 connections");
    expect(more.getAttribute("aria-expanded")).toBe("false");
    more.focus();
    await user.keyboard("{Enter}");
    expect(items().length).toBe(100);
    expect(document.activeElement).toBe(button("Show the first 5 only"));
    await user.keyboard("{Enter}");
    expect(items().length).toBe(5);
  });

  test("and the list of providers say the same, also when a check of the platform's own finds something else", async () => {
    vi.useFakeTimers({ now: recordedAt, toFake: ["Date", "setTimeout", "clearTimeout"], shouldAdvanceTime: true });
    const kept: ReturnType<typeof keepEhrs>[] = [];
    const { api } = await asSystem(address, { before: (fake) => kept.push(keepEhrs(fake, [sandboxEhr])) });
    const listed = () => api.received(listFhirProviders).length;
    const before = listed();
    kept[0]?.change(sandboxEhr.id, { connectionStatus: "unhealthy" });
    await vi.advanceTimersByTimeAsync(31_000);
    await reads(() => region("FHIR Providers"), /Sandbox EHR .*Unhealthy/);
    expect(listed()).toBe(before + 1);
    await vi.advanceTimersByTimeAsync(31_000);
    await eventually(() => expect(api.received(fhirHealthStatus).length).toBe(3));
    expect(listed()).toBe(before + 1);
  });
});
