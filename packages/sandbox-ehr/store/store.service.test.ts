import { appendFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { bookingOf, openSession } from "../auth/session.fixture.ts";
import { demoPatient, type DemoPatient } from "../seed/index.ts";
import { generatePatients } from "../seed/patients.ts";
import { openStore } from "./store.ts";

describe("the data of the sandbox", () => {
  let dataDir: string;
  beforeEach(async () => void (dataDir = await mkdtemp(join(tmpdir(), "sandbox-ehr-"))));
  afterEach(() => rm(dataDir, { recursive: true, force: true }));
  const open = () => openStore({ dataDir, now: () => new Date() });

  it("survives a restart and a half written last line", async () => {
    const first = await openSession({ dataDir });
    const slot = await first.freeSlot();
    const { body: booked } = await first.call("POST", "/Appointment", bookingOf(slot.id));
    await first.close();
    await appendFile(join(dataDir, "resources.jsonl"), '[{"resourceType":"Appointment","id":"torn');

    const second = await openSession({ dataDir });
    expect((await second.call("GET", `/Appointment/${booked.id}`)).headers.get("etag")).toBe('W/"1"');
    expect((await second.call("GET", `/Slot/${slot.id}`)).body).toMatchObject({ status: "busy", meta: { versionId: "2" } });
    await second.close();
  });

  it("keeps every acknowledged write of a process that is killed", async () => {
    const program = `
      const { openStore } = await import(${JSON.stringify(new URL("store.ts", import.meta.url).href)});
      const store = await openStore({ dataDir: ${JSON.stringify(dataDir)}, now: () => new Date() });
      for (let n = 0; ; n++) {
        await store.commit([{ resourceType: "Location", id: "l" + n }]);
        console.log(n);
      }`;
    const child = spawn(process.execPath, ["--input-type=module-typescript", "-e", program], { stdio: ["ignore", "pipe", "inherit"] });
    let acknowledged = "";
    child.stdout.on("data", (chunk: Buffer) => {
      acknowledged += chunk.toString();
      if (acknowledged.split("\n").length > 50) child.kill("SIGKILL");
    });
    await once(child, "close");
    const last = acknowledged.split("\n").slice(0, -1).at(-1);
    const store = await open();
    for (let n = 0; n <= Number(last); n++) expect(store.get("Location", `l${n}`), `write ${n}`).toBeDefined();
    await store.close();
  });

  it("gets slots for new days after a pause, without touching old ones", async () => {
    const start = new Date("2026-11-20T15:00:00Z");
    const first = await openSession({ dataDir, now: () => start });
    await first.close();
    const before = await open();
    const slots = before.all("Slot");
    await before.close();
    const later = new Date(start.getTime() + 7 * 86_400_000);
    const second = await openSession({ dataDir, now: () => later });
    await second.close();
    const after = await open();
    expect(slots).toHaveLength(15 * 8 * 16);
    expect(after.all("Slot")).toHaveLength(20 * 8 * 16);
    expect(slots.every(({ id }) => after.get("Slot", id)?.meta.versionId === "1")).toBe(true);
    await after.close();
  });

  it("is the same for the same seed, and no two patients share a name, phone or record number", () => {
    const patients = generatePatients(1);
    expect(generatePatients(1)).toEqual(patients);
    expect(generatePatients(2)).not.toEqual(patients);
    const people = patients.map(demoPatient);
    for (const key of [
      ({ given, family }: DemoPatient) => `${given} ${family}`,
      ({ phone }: DemoPatient) => phone,
      ({ mrn }: DemoPatient) => mrn,
    ]) {
      expect(new Set(people.map(key)).size).toBe(200);
    }
  });
});
