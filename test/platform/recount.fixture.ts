import { auditsIn, type Row } from "./table.fixture.ts";

export type Totals = Record<string, Record<string, number>>;

/** What the projection has written, without its marks and zeros. */
export const projected = (rows: Row[]): Totals =>
  Object.fromEntries(
    rows
      .filter(({ pk }) => pk.endsWith("#STATS"))
      .map(({ pk, sk, ...row }): [string, Record<string, number>] => [
        `${pk}|${sk}`,
        Object.fromEntries(
          Object.entries(row).filter((entry): entry is [string, number] => typeof entry[1] === "number" && entry[1] !== 0),
        ),
      ])
      .filter(([, numbers]) => Object.keys(numbers).length > 0),
  );

/** The same totals, counted from the calls, the audit log and the directories, and from nothing else. */
export function recount(rows: Row[]): Totals {
  const totals: Totals = {};
  const add = (name: string, numbers: Record<string, number>): void => {
    for (const [number, value] of Object.entries(numbers)) {
      if (value === 0) continue;
      const row = (totals[name] ??= {});
      row[number] = (row[number] ?? 0) + value;
    }
  };
  const addFor = (tenantId: string, day: string, numbers: Record<string, number>): void => {
    for (const row of ["TOTAL", `DAY#${day.slice(0, 10)}`]) add(`TENANT#${tenantId}#STATS|${row}`, numbers);
  };
  const platform = "PLATFORM#STATS|TOTAL";

  for (const { pk, sk, ...row } of rows) {
    if (sk === "CALL" && row["countedAt"] !== undefined) {
      const { status, forwarded, success, durationSeconds, startedAt } = row as unknown as CallFacts;
      const completed = Number(status === "completed");
      const resolved = Number(completed === 1 && !forwarded && success !== false);
      const seconds = durationSeconds ?? 0;
      addFor(pk.split("#")[1] ?? "", startedAt, {
        totalCalls: 1,
        successfulCalls: completed,
        resolvedCalls: resolved,
        forwardedCalls: Number(forwarded),
        durationSeconds: seconds,
        durationCalls: Number(durationSeconds !== undefined),
        resolvedSeconds: resolved * seconds,
      });
      add(platform, { totalCalls: 1, successfulCalls: completed });
    } else if (pk === "PLATFORM#USERS" && !sk.startsWith("~")) add(platform, { totalUsers: 1 });
    else if (pk === "PLATFORM#TENANTS" && !sk.includes("#"))
      add(platform, { totalTenants: 1, activeTenants: Number(row["isActive"] === true) });
  }
  for (const { action, tenantId, success, detail = {}, ...row } of auditsIn(rows)) {
    if (!action.startsWith("tool.") || !tenantId) continue;
    const booked = Number(success && detail["booked"] === true);
    // What the probe settles later is revenue, and its run has been counted.
    const isRun = action === `tool.${detail["tool"]}`;
    addFor(tenantId, String(row["at"]), {
      ...(isRun && { [`tool_${detail["tool"]}`]: 1, [`toolok_${detail["tool"]}`]: Number(success) }),
      revenueEvents: booked,
    });
    add(platform, { revenueEvents: booked });
  }
  return totals;
}

type CallFacts = { status: string; forwarded: boolean; success?: boolean; durationSeconds?: number; startedAt: string };
