/** Runs one export in a separate process, as its function does, and prints its peak memory in MiB. */
import { deadlineIn, holdOwnCursorSecret, type Context, pause } from "@vitaline/core";
import { tenantStore } from "@vitaline/store";
import { runExport, tenantExportScope } from "../index.ts";

const [tenantId = "", exportId = ""] = process.argv.slice(2);
holdOwnCursorSecret();
const ctx: Context = {
  requestId: "export",
  actor: { kind: "system", id: "export" },
  clientAddress: "",
  origin: "",
  clock: () => new Date(),
  log: () => {},
  deadline: deadlineIn(900_000),
  pause,
};
let mostBytes = 0;
const look = (): void => void (mostBytes = Math.max(mostBytes, process.memoryUsage.rss()));
const looking = setInterval(look, 20);
const scope = tenantExportScope({ ...ctx, tenantId, store: tenantStore(ctx, tenantId) });
await runExport(ctx, scope, { exportId, tenantId, tries: 1 }, { hasTime: () => true });
clearInterval(looking);
look();
process.stdout.write(String(Math.round(mostBytes / 1024 / 1024)));
