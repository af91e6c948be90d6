import { readExportFile, writeExportFile } from "@vitaline/aws";
import type { AccessEntry } from "@vitaline/contract";
import { newId } from "@vitaline/core";
import { type AccessReportProgress, type AccessReportRow, type AuditRow, update } from "@vitaline/store";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import { displayNames } from "../log/display-names.ts";
import { accessEntries } from "./entry.ts";
import { type AccessScope, folderOf } from "./scope.ts";
import { type Links, linksFromText, linksToText, noLinks } from "./subject.ts";

const perPage = 200;
const saveMs = 15_000;

/** Another invocation continues the report. */
export const superseded = new Error("Another invocation continues this report");

/** A report while an invocation works on it. */
export type ReportState = {
  readonly row: AccessReportRow;
  readonly links: Links;
  /** Adds rows to the report; kept with the next save. */
  list(rows: readonly AuditRow[]): Promise<void>;
  isSaveDue(): boolean;
  /** Writes the listed rows and the links into files of their own, then the row that names them. Throws `superseded`. */
  save(change: Partial<AccessReportProgress>): Promise<void>;
  /** Keeps the report from being taken for lost. Throws `superseded`. */
  beat(): Promise<void>;
};

export async function openState(ctx: PlatformContext, scope: AccessScope, first: AccessReportRow): Promise<ReportState> {
  const folder = folderOf(scope, first.id);
  const savedLinks = first.progress.links;
  const links = savedLinks === undefined ? noLinks() : linksFromText(await readExportFile(`${folder}/${savedLinks}.json`));
  const names = displayNames(ctx);
  const pending: AccessEntry[] = [];
  const nowMs = (): number => ctx.clock().getTime();
  let row = first;
  let savedMs = nowMs();

  const writeText = async (text: string): Promise<string> => {
    const name = newId(nowMs());
    await writeExportFile(`${folder}/${name}.json`, "application/json", single(Buffer.from(text)));
    return name;
  };
  const change = async (set: Partial<AccessReportRow>): Promise<void> => {
    const { tries, seq } = row;
    const next = { ...set, seq: seq + 1, heartbeatAt: ctx.clock().toISOString() };
    const saved = await scope
      .storeFor(row)
      .writeUnaudited<AccessReportRow>(update(scope.keyOf(row.id), { set: next }, { equals: { tries, seq } }));
    if (!saved) throw superseded;
    row = saved;
    savedMs = nowMs();
  };
  return {
    get row() {
      return row;
    },
    links,
    list: async (rows) => void pending.push(...(await accessEntries(ctx, names, row.about, rows))),
    isSaveDue: () => pending.length >= perPage || nowMs() - savedMs >= saveMs,
    async save(progress) {
      const pages = [...row.progress.pages];
      const rows = row.progress.rows + pending.length;
      while (pending.length > 0) pages.push(await writeText(JSON.stringify(pending.splice(0, perPage))));
      await change({
        status: "running",
        progress: { ...row.progress, ...progress, pages, rows, links: await writeText(linksToText(links)) },
      });
    },
    async beat() {
      if (nowMs() - savedMs >= saveMs) await change({});
    },
  };
}

async function* single(piece: Buffer): AsyncGenerator<Buffer> {
  yield piece;
}
