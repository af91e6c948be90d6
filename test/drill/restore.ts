import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePorts } from "../../packages/local-cloud/free-ports.fixture.ts";
import { type Platform, type PlatformOptions, startPlatform } from "../../packages/local-cloud/platform.ts";
import { withFastHashes } from "../kit/fast-hashes.ts";
import { openTable, type Row } from "../kit/store/table.ts";
import { archivedText } from "./archive.ts";
import { type Clinics, openClinics, until } from "./clinics.ts";
import { openConsole } from "./console.ts";
import { readProcedure } from "./manual.ts";
import { judge, type Judgment } from "./restore-judge.ts";
import { namesIn, stepsOf } from "./restore-steps.ts";
import { type Written, writeAfter, writeBefore } from "./restore-writes.ts";

export type RestoreReport = Judgment & {
  /** Seconds of data that are lost: from the restored second to the loss. */
  rpoSeconds: number;
  /** Seconds from the loss until the restored table is verified and serves calls. */
  rtoSeconds: number;
  /** Of the whole drill. */
  seconds: number;
  /** What requests got while the functions were stopped, before and after the deployment. */
  refused: { before: number[]; after: number[] };
  /** Requests that wrote into the table while the functions were stopped. */
  writesWhileStopped: number;
  verification: string;
  /** Commands of the page that the drill does not run. */
  untried: string[];
};

type Start = (settings?: PlatformOptions["settings"]) => Promise<Platform>;

/**
 * Does the procedure "Restore" of infra/README.md, by the commands of that page, on a platform of its own: calls and erasures come in, the
 * table is lost, it is restored to a point in time, reconciled with what outlived it, opened and verified.
 */
export async function drillRestore(print: (line: string) => void): Promise<RestoreReport> {
  const folder = mkdtempSync(path.join(tmpdir(), "vitaline-restore-"));
  const dataDir = path.join(folder, "data");
  // The connections name the record system's address, which has to be the same after the deployment
  const port = await freePorts(4);
  let running: Platform | undefined;
  const start: Start = async (settings) => {
    await running?.close();
    running = undefined;
    const prepareFunction: PlatformOptions["prepareFunction"] = (spec) => withFastHashes(spec, dataDir);
    running = await startPlatform({ port, dataDir, settings, prepareFunction, empty: true, quiet: true });
    return running;
  };
  try {
    return await drill(start, dataDir, print);
  } finally {
    await running?.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function drill(start: Start, dataDir: string, print: (line: string) => void): Promise<RestoreReport> {
  const startedAt = Date.now();
  const procedure = readProcedure("infra/README.md", "Restore");
  const before = await start();
  const clinics = await openClinics(before, dataDir, 3);

  print("Calls come in. Erasures: one before the point in time, one after it, and one that runs when the table is lost.");
  const early = await writeBefore(before, clinics);
  const point = new Date((Math.floor(Date.now() / 1000) + 1) * 1000);
  await sleep(point.getTime() - Date.now() + 1000);
  const written = await writeAfter(before, clinics, early);

  const lostAt = Date.now();
  print("The table is lost: every row is deleted.");
  await deleteEverything(dataDir);

  const names = namesIn(before, point);
  const steps = stepsOf(procedure, names, print);
  const terminal = openConsole(before);
  const had = await steps.stop(
    terminal,
    before.cloud.functions.map(({ name }) => name),
    () => archived(before, written),
  );
  const stopped = await whileStopped(before, clinics);
  await steps.restore(terminal);
  const reconciled = await steps.reconcile(terminal);
  await steps.switchOn(terminal);
  const settings = await steps.open(terminal);
  terminal.close();
  const after = await start(settings);
  const refusedAfter = await answersOf(clinics);

  const again = openConsole(after);
  await steps.runAgain(again, had);
  const verification = await steps.verify(again);
  again.close();
  const judgment = await judge(after, { clinics, written, reconciled, dataDir, lostTable: names.TABLE });
  const report: RestoreReport = {
    ...judgment,
    rpoSeconds: (lostAt - point.getTime()) / 1000,
    rtoSeconds: (judgment.servedAt - lostAt) / 1000,
    seconds: (Date.now() - startedAt) / 1000,
    refused: { before: stopped.answers, after: refusedAfter },
    writesWhileStopped: stopped.writes,
    verification,
    untried: procedure.untried(),
  };
  print(`The drill took ${report.seconds.toFixed(1)} s.`);
  print(`RPO ${report.rpoSeconds.toFixed(1)} s, RTO ${report.rtoSeconds.toFixed(1)} s.`);
  return report;
}

/** Nothing of before the point in time is missing, no one who was erased is back, and the platform serves the restored table alone. */
export const isWhole = (report: RestoreReport): boolean =>
  report.calls.missing + report.calls.unreadable + report.cameBack.length + report.secretsUnreadable === 0 &&
  report.appointments.named === report.appointments.booked &&
  report.appointments.others.length === 0 &&
  [...report.refused.before, ...report.refused.after].every((status) => status === 503) &&
  report.writesWhileStopped + report.requestsToLostTable === 0 &&
  report.isNextCallKept &&
  report.refusedRights.length === 0 &&
  report.verification.includes("All rows are intact.");

const answersOf = async ({ api, tenants: [tenant] }: Clinics): Promise<number[]> => {
  const answers = await Promise.all([
    api("GET", "/api/public/health"),
    api("POST", "/api/auth/login", { body: tenant!.admin }),
    api("POST", "/api/vapi/tool-call", { key: tenant!.apiKey, body: {} }),
  ]);
  return answers.map(({ status }) => status);
};

/** Requests and schedules while no function may run. */
async function whileStopped({ cloud, usage }: Platform, clinics: Clinics): Promise<{ answers: number[]; writes: number }> {
  // The erasure waits for the table's stream to settle, and writes nothing meanwhile
  const isOver = ({ name }: { name: string }) => name.endsWith("-events-erase") || cloud.lambda.usage(name).running === 0;
  await until("no function runs", async () => cloud.functions.every(isOver));
  const last = usage().at(-1)?.id ?? 0;
  const answers = await answersOf(clinics);
  await cloud.catchUp();
  return { answers, writes: usage(last).filter(({ writeUnits }) => writeUnits > 0).length };
}

/** Waits until the audit rows that the reconciliation needs have gone through the table's stream into the archive. */
async function archived(platform: Platform, { late, clinics: [one, two] }: Written): Promise<void> {
  await until("the archive has what was written last", async () => {
    const ofOne = await archivedText(platform, one.id);
    const ofTwo = await archivedText(platform, two.id);
    const isEnded = ofTwo.includes('"erasure.done"') && (await archivedText(platform, "platform")).includes('"erasure.erase"');
    return isEnded && late.every(({ appointmentId = "" }) => (ofOne + ofTwo).includes(appointmentId));
  });
}

async function deleteEverything(dataDir: string): Promise<void> {
  const table = openTable(dataDir);
  for (let rows = await table.rows(); rows.length > 0;) {
    const some = rows.splice(0, 100);
    const inTransactions = await Promise.all(some.map((row) => table.remove(row).then(() => [], unlessInTransaction(row))));
    rows.push(...inTransactions.flat());
  }
  table.close();
}

/** Functions write until they are stopped. */
const unlessInTransaction =
  (row: Row) =>
  (error: Error): Row[] => {
    if (error.name !== "TransactionConflictException") throw error;
    return [row];
  };
