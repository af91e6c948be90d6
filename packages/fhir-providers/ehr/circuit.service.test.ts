import { isAppError } from "@vitaline/core";
import type { Circuit, CircuitOutcome } from "@vitaline/fhir";
import { type FhirCircuitRow, keys, type TenantRow } from "@vitaline/store";
import { type PlatformContext, platformStore } from "@vitaline/store/platform.ts";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { type Platform, providerInput, startPlatform } from "../fhir-providers.fixture.ts";
import { closeCircuits } from "./circuit.ts";
import { assignFhirProvider, checkFhirProvider, createFhirProvider, openEhr } from "../index.ts";

let platform: Platform;
beforeAll(async () => {
  platform = await startPlatform();
}, 60_000);
afterAll(() => platform.close());

const [ours, theirs] = ["https://ehr.example", "https://login.ehr.example"];
const failed: CircuitOutcome = { kind: "failed" };
const answered: CircuitOutcome = { kind: "answered" };

let nowMs: number;
let providers: [string, string];
beforeEach(async () => {
  // The table drops a row that has expired by its own clock.
  nowMs = Math.floor(Date.now() / 1000) * 1000;
  const made = await Promise.all(platform.sandboxes.map((sandbox) => createFhirProvider(platform.ctx, providerInput(sandbox))));
  providers = [made[0]?.id ?? "", made[1]?.id ?? ""];
});

const later = (ms: number) => void (nowMs += ms);
const ctx = (): PlatformContext => {
  const context = { ...platform.ctx, clock: () => new Date(nowMs) };
  return { ...context, platform: platformStore(context) };
};
const rowOf = (providerId: string) => platform.ctx.platform.get(keys.fhirCircuit(providerId));

type Instance = (providerId?: string) => Promise<Circuit>;
/** A function instance of its own, which reads the row at the beginning of each tool run. */
async function startInstance(): Promise<Instance> {
  vi.resetModules();
  const { circuitOf } = await import("./circuit.ts");
  return async (providerId = providers[0]) => circuitOf(ctx(), providerId, (await rowOf(providerId)) ?? null);
}

/** By name and code, because each instance has its own class of errors. */
const codeOf = (error: unknown) => (error as { code?: string }).code ?? String(error);
const entered = async (circuit: Circuit, origin = ours) =>
  circuit.enter(origin).then(
    () => "sent",
    (error: unknown) => codeOf(error),
  );
/** Requests that time out, one after the other. */
const fail = async (circuit: Circuit, times: number, origin = ours) => {
  for (let n = 0; n < times; n++, later(1000)) await circuit.note(origin, failed);
};

describe("the circuit of an EHR's origin", () => {
  it("opens for all instances after five failures, for this connection and origin alone", async () => {
    const [one, two] = [await startInstance(), await startInstance()];
    await fail(await one(), 3);
    expect(await entered(await two())).toBe("sent");
    await fail(await two(), 2);
    for (const instance of [one, two]) expect(await entered(await instance())).toBe("ehr_unavailable");
    const third = await startInstance();
    expect([await entered(await third()), await entered(await third(), theirs), await entered(await third(providers[1]))]).toEqual([
      "ehr_unavailable",
      "sent",
      "sent",
    ]);
  });

  it("stays closed while more than half of the requests of all instances are answered, and counts no request twice", async () => {
    const [one, two] = [await startInstance(), await startInstance()];
    const [first, second] = [await one(), await two()];
    await fail(first, 2);
    for (let n = 0; n < 9; n++) {
      later(1000);
      for (const _ of [1, 2, 3]) await (await two()).note(ours, answered);
      await (await one()).note(ours, failed);
    }
    expect([await entered(first), await entered(second)]).toEqual(["sent", "sent"]);
    later(1000);
    await (await two()).note(ours, answered);
    const counts = Object.entries((await rowOf(providers[0])) ?? {}).filter(([name]) => /^(?:failed|answered)_/.test(name));
    const sum = (kind: string) => counts.filter(([name]) => name.startsWith(kind)).reduce((total, [, count]) => total + count, 0);
    expect([sum("failed") <= 11, sum("answered") <= 28, sum("answered") > 2 * sum("failed")]).toEqual([true, true, true]);
  });

  it("lets one request of all instances try the server after ten seconds; its answer closes it, its failure doubles the wait", async () => {
    const instances = [await startInstance(), await startInstance(), await startInstance()];
    const enterAll = async () => {
      const circuits = await Promise.all(instances.map((instance) => instance()));
      const results = await Promise.all(
        circuits.flatMap((circuit) => [1, 2, 3].map(async () => ({ circuit, code: await entered(circuit) }))),
      );
      return { sent: results.filter(({ code }) => code === "sent"), refused: results.filter(({ code }) => code === "ehr_unavailable") };
    };
    await fail(await instances[0]!(), 5);
    later(8999);
    expect((await enterAll()).sent).toEqual([]);
    later(1);
    const tried = await enterAll();
    expect([tried.sent.length, tried.refused.length]).toEqual([1, 8]);
    later(2500);
    await tried.sent[0]?.circuit.note(ours, failed);
    later(19_999);
    expect((await enterAll()).sent).toEqual([]);
    later(1);
    const again = await enterAll();
    expect(again.sent.length).toBe(1);
    later(1000);
    await again.sent[0]?.circuit.note(ours, answered);
    later(300);
    expect((await enterAll()).sent.length).toBe(9);
    // The failures of before are forgotten.
    await fail(await instances[1]!(), 1);
    expect((await enterAll()).sent.length).toBe(9);
  });

  it("lets another request try when the instance that tried has died", async () => {
    const [one, two] = [await startInstance(), await startInstance()];
    await fail(await one(), 5);
    later(9000);
    expect(await entered(await one())).toBe("sent");
    expect(await entered(await two())).toBe("ehr_unavailable");
    later(6000);
    expect(await entered(await two())).toBe("sent");
  });

  it("is not opened by one failure of an instance whose try had no result, after another instance's try closed it", async () => {
    const [one, two] = [await startInstance(), await startInstance()];
    await fail(await one(), 5);
    later(9000);
    // Its caller hangs up: nothing is noted.
    expect(await entered(await one())).toBe("sent");
    later(6000);
    const trying = await two();
    expect(await entered(trying)).toBe("sent");
    later(1000);
    await trying.note(ours, answered);
    later(60_000);
    const again = await one();
    expect(await entered(again)).toBe("sent");
    await again.note(ours, failed);
    later(1000);
    expect([await entered(await one()), await entered(await two())]).toEqual(["sent", "sent"]);
  });

  it("is closed for all instances by a try that is answered at once, as a server that works again does", async () => {
    const instances: Instance[] = [];
    while (instances.length < 12) instances.push(await startInstance());
    await fail(await instances[0]!(), 5);
    later(10_000);
    const results: string[] = [];
    for (let n = 0; n < 36; n++, later(900)) {
      const circuit = await instances[n % 12]!();
      results.push(await entered(circuit));
      later(100);
      if (results.at(-1) === "sent") await circuit.note(ours, answered);
    }
    expect(results.filter((result) => result !== "sent")).toEqual([]);
  });

  it("sends nothing before the time that the server asked for, in any instance", async () => {
    const [one, two] = [await startInstance(), await startInstance()];
    await (await one()).note(ours, { kind: "told_to_wait", ms: 30_000 });
    later(29_999);
    for (const instance of [one, two]) expect(await entered(await instance())).toBe("ehr_unavailable");
    await (await two()).enter(ours).catch((error: unknown) => expect(error).toMatchObject({ retryAfterSeconds: 1 }));
    later(1);
    expect(await entered(await two())).toBe("sent");
  });

  it("is closed by an administrator's test also in an instance that has not shared yet that it opened it", async () => {
    const [one, two] = [await startInstance(), await startInstance()];
    await (await one()).note(theirs, { kind: "told_to_wait", ms: 30_000 });
    await (await one()).note(ours, { kind: "told_to_wait", ms: 30_000 });
    later(1);
    await closeCircuits(ctx(), providers[0]);
    for (const instance of [one, two]) expect(await entered(await instance())).toBe("sent");
  });

  it("is written at most once a second by an instance, and never while requests are answered", async () => {
    const instance = await startInstance();
    const writes = () => platform.aws.usage().filter(({ writeUnits }) => writeUnits > 0).length;
    platform.aws.resetUsage();
    for (let n = 0; n < 200; n++, later(50)) await (await instance()).note(ours, answered);
    expect(writes()).toBe(0);
    for (let n = 0; n < 200; n++, later(25)) {
      const circuit = await instance(providers[Math.floor(n / 3) % 2]);
      await circuit.enter(ours).catch(() => undefined);
      await circuit.note(ours, n % 3 === 0 ? answered : failed);
    }
    expect(writes()).toBeGreaterThan(2);
    expect(writes()).toBeLessThanOrEqual(5);
    expect(JSON.stringify(await rowOf(providers[0])).length).toBeLessThan(500);
  });

  it("is written at once with the results of two trials, and then not until the next second is over", async () => {
    const instance = await startInstance();
    for (const origin of [ours, theirs]) await fail(await instance(), 5, origin);
    later(10_000);
    const circuit = await instance();
    expect(await entered(circuit, ours)).toBe("sent");
    later(1000);
    expect(await entered(circuit, theirs)).toBe("sent");
    platform.aws.resetUsage();
    const writes = () => platform.aws.usage().filter(({ writeUnits }) => writeUnits > 0).length;
    later(50);
    for (const origin of [ours, theirs]) await circuit.note(origin, answered);
    expect(writes()).toBe(2);
    later(100);
    await circuit.note(ours, failed);
    expect(writes()).toBe(2);
  });

  it("does not fail a request when it cannot be shared", async () => {
    const instance = await startInstance();
    const circuit = await instance();
    platform.aws.fault(() => "drop");
    await expect(circuit.note(ours, failed)).resolves.toBeUndefined();
    platform.aws.fault();
  });
});

describe("an EHR that fails", () => {
  let tenants: [TenantRow, TenantRow];
  beforeEach(async () => {
    await Promise.all(platform.sandboxes.map(({ origin }) => fetch(`${origin}/faults`, { method: "DELETE" })));
    await Promise.all(platform.tenants.map(({ id }, index) => assignFhirProvider(platform.ctx, id, providers[index as 0 | 1])));
    tenants = (await Promise.all(platform.tenants.map(({ id }) => platform.readTenant(id)))) as [TenantRow, TenantRow];
  });
  const requests: string[] = [];
  const logged = () => ({ ...platform.at({}), log: (_: unknown, event: string) => void requests.push(event) });
  const search = async (tenant: TenantRow) =>
    (await openEhr(logged(), tenant)).search("Slot", { _count: "1" }, { maxResources: 1 }).then(
      () => "answered",
      (error: unknown) => (isAppError(error) ? error.code : String(error)),
    );

  it("is asked no more, and answers of a working EHR keep it open for requests", async () => {
    const [failing, working] = tenants;
    expect([await search(failing), await search(working)]).toEqual(["answered", "answered"]);
    await fetch(`${platform.sandboxes[0].origin}/faults`, {
      method: "POST",
      body: JSON.stringify({ kind: "503", match: { path: "/r4" } }),
    });
    for (let n = 0; n < 5; n++) expect(await search(failing)).toBe("ehr_unavailable");
    requests.length = 0;
    platform.aws.resetUsage();
    expect(await search(failing)).toBe("ehr_unavailable");
    expect(requests.filter((event) => event === "ehr.call")).toEqual([]);
    // One read, and no lease of a token that would not be used.
    expect(platform.aws.usage().map(({ operation }) => operation)).toEqual(["BatchGetItem"]);
    const write = (await openEhr(logged(), failing)).create({ resourceType: "Patient" });
    await expect(write).rejects.toMatchObject({ code: "ehr_unavailable" });
    expect(await search(working)).toBe("answered");
  });

  it("is asked again at once after an administrator's test of the connection passed", async () => {
    const [tenant] = tenants;
    await fetch(`${platform.sandboxes[0].origin}/faults`, {
      method: "POST",
      body: JSON.stringify({ kind: "503", match: { path: "/r4" } }),
    });
    for (let n = 0; n < 5; n++) expect(await search(tenant)).toBe("ehr_unavailable");
    expect((await checkFhirProvider(platform.ctx, providers[0])).status).toBe("unhealthy");
    await fetch(`${platform.sandboxes[0].origin}/faults`, { method: "DELETE" });
    expect(await search(tenant)).toBe("ehr_unavailable");
    expect((await checkFhirProvider(platform.ctx, providers[0])).status).toBe("healthy");
    expect(await search(tenant)).toBe("answered");
  });

  it("a server that refuses a request is a working one", async () => {
    const [tenant] = tenants;
    const ehr = await openEhr(logged(), tenant);
    for (let n = 0; n < 8; n++) await expect(ehr.read("Patient", `no-such-${n}`)).rejects.toMatchObject({ code: "ehr_not_found" });
    expect(await search(tenant)).toBe("answered");
    expect((await rowOf(providers[0])) satisfies FhirCircuitRow | undefined).toBeUndefined();
  });
});
