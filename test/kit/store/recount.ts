import { auditsIn, type Row } from "./table.ts";

export type Totals = Record<string, Record<string, number>>;

export function projected(rows: Row[]): Totals {
  const totals: Totals = {};
  const sums = rows.map(({ pk, ...row }): Row => ({ ...row, pk: pk.replace(/^PLATFORM#STATS#.$/, "PLATFORM#STATS") }));
  for (const { pk, sk, ...row } of sums.filter((one) => one.pk.endsWith("#STATS")))
    for (const [name, value] of Object.entries(row)) {
      if (typeof value !== "number" || value === 0 || name === ofEarlierMonths) continue;
      const named = (totals[`${pk}|${pk.startsWith("TENANT#") ? merged(sk) : sk}`] ??= {});
      named[name] = (named[name] ?? 0) + value;
    }
  for (const [row, named] of Object.entries(totals))
    totals[row] = Object.fromEntries(Object.entries(named).filter(([, value]) => value !== 0));
  return totals;
}

/** All billing months together: a call's row does not hold the month of its correction. */
const everyMonth = "MONTH#";

/** Depends on that month too. */
const ofEarlierMonths = "earlierSeconds";

/** All days together: they are those of the tenant's time zone when a call was counted. */
const everyDay = "DAY#";
const merged = (sk: string): string => (sk.startsWith(everyMonth) ? everyMonth : sk.replace(/DAY#.*$/, everyDay));

/** The same totals from calls, audit log and directories alone. */
export function recount(rows: Row[]): Totals {
  const totals: Totals = {};
  const add = (name: string, numbers: Record<string, number>): void => {
    for (const [number, value] of Object.entries(numbers)) {
      if (value === 0) continue;
      const row = (totals[name] ??= {});
      row[number] = (row[number] ?? 0) + value;
    }
  };
  const addFor = (tenantId: string, officeId: unknown, numbers: Record<string, number>): void => {
    const ofOffice =
      typeof officeId === "string" && /^[0-9a-z]{26}$/.test(officeId) ? [`OFFICE#${officeId}`, `OFFICE#${officeId}#${everyDay}`] : [];
    for (const row of ["TOTAL", everyDay, ...ofOffice]) add(`TENANT#${tenantId}#STATS|${row}`, numbers);
  };
  const platform = "PLATFORM#STATS|TOTAL";

  for (const { pk, sk, ...row } of rows) {
    if (sk === "CALL" && row["endSeenAt"] !== undefined) {
      const { status, forwarded, success, durationSeconds, ...facts } = row as unknown as CallFacts;
      const completed = Number(status === "completed");
      const abandoned = Number(!facts.statedResolved && (facts.cutShort === true || (facts.soughtStaff === true && !forwarded)));
      const good = facts.statedResolved === true || success === true || facts.helped === true;
      const resolved = Number(completed === 1 && !forwarded && success !== false && abandoned === 0 && good);
      const seconds = durationSeconds ?? 0;
      addFor(pk.split("#")[1] ?? "", row["officeId"], {
        totalCalls: 1,
        successfulCalls: completed,
        resolvedCalls: resolved,
        forwardedCalls: Number(forwarded),
        abandonedCalls: abandoned,
        durationSeconds: seconds,
        durationCalls: Number(durationSeconds !== undefined),
        resolvedSeconds: resolved * seconds,
      });
      add(`TENANT#${pk.split("#")[1]}#STATS|${everyMonth}`, { totalCalls: 1, durationSeconds: seconds });
      add(platform, { totalCalls: 1, successfulCalls: completed });
    } else if (pk === "PLATFORM#USERS" && !sk.startsWith("~")) {
      const admin = Number(row["role"] === "system_admin" && row["isActive"] === true);
      add(platform, { totalUsers: 1, activeAdmins: admin, adminsWithTotp: admin * Number(row["hasTotp"] === true) });
    } else if (pk.endsWith("#INBOX")) add(platform, { keptEvents: 1 });
    else if (pk.endsWith("#CHAIN") && sk === "HEAD") add(platform, chainNumbers(row as unknown as ChainFacts));
    else if (pk === "PLATFORM#TENANTS" && !sk.includes("#"))
      add(platform, { totalTenants: 1, activeTenants: Number(row["isActive"] === true) });
  }
  const signedIn = new Set<string>();
  for (const { action, tenantId, success, detail = {}, ...row } of auditsIn(rows)) {
    const today = String(row["at"]).slice(0, 10);
    const denied = Number(!success && accessCodes.includes(row.code ?? ""));
    const signIn = Number(action === "session.login");
    add(`PLATFORM#STATS|DAY#${today}`, {
      auditEvents: 1,
      securityEvents: denied || Number(/^(apiKey|platformKey)\.(?!reveal$)|^access\.|password|totp/i.test(action)),
      accessDenied: denied,
      accessAllowed: Number(row["actorKind"] !== "system") && 1 - denied,
      logins: signIn * Number(success),
      failedLogins: signIn * denied,
    });
    if (signIn && success) signedIn.add(`${today} ${row.actorId}`);
    if (!action.startsWith("tool.") || !tenantId || detail["test"] === true) continue;
    const booked = Number(success && detail["booked"] === true);
    // A recovered write is revenue; its run was counted before
    const isRun = action === `tool.${detail["tool"]}`;
    addFor(tenantId, detail["officeId"], {
      ...(isRun && { [`tool_${detail["tool"]}`]: 1, [`toolok_${detail["tool"]}`]: Number(success) }),
      ...(isRun && success && detail["reason"] && { [`routed_${detail["reason"]}:${detail["outcome"]}`]: 1 }),
      revenueEvents: booked,
    });
    add(platform, { revenueEvents: booked });
  }
  for (const who of signedIn) add(`PLATFORM#STATS|DAY#${who.split(" ")[0]}`, { activeUsers: 1 });
  return totals;
}

const accessCodes =
  "unauthenticated invalid_credentials session_expired forbidden read_only too_many_requests identity_required identity_not_verified identity_locked".split(
    " ",
  );

const chainNumbers = ({ rows, lastVerifiedAt, verifiedRows = 0, intactRows = 0 }: ChainFacts): Record<string, number> => ({
  chainedRows: rows,
  verifiedRows,
  intactRows,
  verifiedChains: Number(lastVerifiedAt !== undefined),
  intactChains: Number(lastVerifiedAt !== undefined && verifiedRows === intactRows),
});
type ChainFacts = { rows: number; lastVerifiedAt?: string; verifiedRows?: number; intactRows?: number };

type CallFacts = { status: string; forwarded: boolean; durationSeconds?: number } & Partial<
  Record<"success" | "statedResolved" | "cutShort" | "soughtStaff" | "helped", boolean>
>;
