import { readFileSync } from "node:fs";
import type { Platform } from "../../packages/local-cloud/platform.ts";
import { readRows } from "../kit/store/table.ts";
import { archivedText } from "./archive.ts";
import { type Call, type Clinics, connectionWorks, makeCalls, textOf } from "./clinics.ts";
import { erasedPatients, isErased, type Written } from "./restore-writes.ts";

export type Judgment = {
  calls: { kept: number; lost: number; missing: number; unreadable: number };
  /** Rows and texts of erased people and tenants. */
  cameBack: string[];
  secretsUnreadable: number;
  /** Appointments that only the record system knows, how many of them the reconciliation named, and what else it named. */
  appointments: { booked: number; named: number; others: string[] };
  /** When a call had booked and an administrator had signed in. */
  servedAt: number;
  /** That call is in the restored table, and through its stream in the archive. */
  isNextCallKept: boolean;
  /** Lines of the log of a function that lacked a right. */
  refusedRights: string[];
  /** Requests to the lost table after the deployment. */
  requestsToLostTable: number;
};

type Found = { clinics: Clinics; written: Written; reconciled: string; dataDir: string; lostTable: string };

/** Rows that stay after a tenant's erasure: its audit, and rows that expire within days. */
const keptRows = /^TENANT#\w+#(AUDIT#|CHAIN$|IDEMPOTENCY#|COUNTER#|CHANGED#|SEND#)/;
const nextCaller = 39;

export async function judge(platform: Platform, { clinics, written, reconciled, dataDir, lostTable }: Found): Promise<Judgment> {
  const { early, late, unknown, connections, clinics: tenants } = written;
  const [one, , three] = tenants;
  await clinics.signIn(one.admin);
  const [next] = (await makeCalls(clinics, [{ tenant: one, caller: nextCaller, books: true }])) as [Call];
  const servedAt = Date.now();

  const kept = early.filter((call) => !isErased(call, tenants));
  const texts = await Promise.all(kept.map((call) => textOf(clinics, call)));
  const erased = early.filter((call) => isErased(call, tenants) && call.tenant !== three);
  const erasedTexts = await Promise.all(erased.map((call) => textOf(clinics, call)));
  const works = await Promise.all(connections.map((id) => connectionWorks(clinics, platform, id)));
  await platform.cloud.catchUp();
  await platform.cloud.drained();
  const rows = (await readRows(dataDir)).filter(({ pk }) => !keptRows.test(pk));
  const ofErased = rows.filter(
    (row) =>
      row.pk.startsWith(`TENANT#${three.id}#`) ||
      erasedPatients(tenants).some(
        ({ tenant, patientId }) => row.pk.startsWith(`TENANT#${tenant.id}#`) && JSON.stringify(row).includes(patientId),
      ),
  );
  const named = [...reconciled.matchAll(/appointment (\S+) is in the record system/g)].map(([, id = ""]) => id);
  return {
    calls: {
      kept: kept.length,
      lost: late.length,
      missing: texts.filter((text) => text === "missing").length,
      unreadable: texts.filter((text) => text === "unreadable").length,
    },
    cameBack: [
      ...ofErased.map(({ pk, sk }) => `${pk} ${sk}`),
      ...erased.flatMap(({ callKey }, at) => (erasedTexts[at] === "read" ? [callKey] : [])),
    ],
    secretsUnreadable: works.filter((isReadable) => !isReadable).length,
    appointments: {
      booked: unknown.length,
      named: unknown.filter((id) => named.includes(id)).length,
      others: named.filter((id) => !unknown.includes(id)),
    },
    servedAt,
    isNextCallKept:
      (await textOf(clinics, next)) === "read" && (await archivedText(platform, one.id)).includes(next.appointmentId ?? "no appointment"),
    refusedRights: readFileSync(platform.logFile, "utf8")
      .split("\n")
      .filter((line) => /"(errorName|code)":"AccessDenied/.test(line)),
    requestsToLostTable: platform.usage().filter(({ tables }) => tables.includes(lostTable)).length,
  };
}
