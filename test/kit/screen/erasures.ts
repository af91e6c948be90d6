import { compliance, erasures, platformAudit, tenants, type Erasure, type ErasureDetail, type Tenant } from "@vitaline/contract";
import { demo, demoUser, inDays } from "./demo-answers.ts";
import { page, refusal, type FakeApi } from "./fake-api.ts";

export const [riverside, lakeside] = demo("system_admin", tenants.listTenants) as [Tenant, Tenant];
export const own = demoUser("system_admin");

export const certificate = { jws: "head.claims.signature", key: { kty: "RSA" as const, n: "modulus", e: "AQAB" } };
export const noCounts = { calls: 0, toolRuns: 0, files: 0, leads: 0, tasks: 0, messages: 0, users: 0, others: 0 };
export const copyUrl = "https://files.example/copy.ndjson";

export const idOf = (nth: number): string => `01hzzzzzzzzzzzzzzzzzzzzz${String(nth).padStart(2, "0")}`;

export const erasure = (nth: number, change: Partial<ErasureDetail> = {}): ErasureDetail => ({
  ...{ id: idOf(nth), kind: "call", tenantId: riverside.id, tenantName: riverside.name, callId: "a1".repeat(20) },
  ...{ fhirProviderId: null, patientId: null, reason: "recorded_in_error", status: "waiting" },
  ...{ requestedBy: "01hzzzzzzzzzzzzzzzzzzzzzzz", requestedByName: "Olga Other", requestedAt: inDays(-0.1) },
  ...{ approvedBy: null, approvedByName: null, approvedAt: null, startsAt: inDays(0.9) },
  ...{ copy: null, erased: null, finishedAt: null, backupsGoneAt: null },
  ...{ copyUrls: null, certificate: null },
  ...change,
});

export const copy = { files: 1, lines: 1234, bytes: 45_600, expiresAt: inDays(6.9) };

const listed = ({ copyUrls: _urls, certificate: _certificate, ...rest }: ErasureDetail): Erasure => ({
  ...rest,
  ...{ callId: null, patientId: null },
});

export function emptyLogs(api: FakeApi): void {
  api.on(platformAudit.platformAuditLogs, () => []);
  api.on(platformAudit.auditDashboard, () => ({ logs: [], todayCount: 0, weekCount: 0, securityEvents: 0, failedAttempts: 0 }));
  api.on(compliance.userActivity, () => ({ ...demo("system_admin", compliance.userActivity), recentActions: [] }));
}

export function keepErasures(api: FakeApi, begun: readonly ErasureDetail[], perPage = 10) {
  let kept = [...begun];
  const missing = () => refusal(404, { error: "There is no such erasure.", code: "not_found" });
  const find = (id: string) => kept.find((one) => one.id === id);
  const change = (id: string, changes: Partial<ErasureDetail>): ErasureDetail | undefined => {
    kept = kept.map((one) => (one.id === id ? { ...one, ...changes } : one));
    return find(id);
  };
  const acted = (id: string, changes: Partial<ErasureDetail>) => {
    const after = change(id, changes);
    return after ? listed(after) : missing();
  };
  api.on(erasures.listErasures, ({ query }) => {
    const all = kept.filter(({ tenantId }) => query.tenantId === undefined || query.tenantId === tenantId);
    const from = Number(query.cursor ?? 0);
    const next = from + perPage;
    return page(all.slice(from, next).map(listed), next < all.length ? String(next) : undefined);
  });
  api.on(erasures.getErasure, ({ params, query }) => {
    const found = find(params.erasureId);
    if (!found) return missing();
    const subject = query.withSubject ? {} : { callId: null, patientId: null };
    return { ...found, ...subject, copyUrls: query.withCopy && found.copy !== null ? [copyUrl] : null };
  });
  api.on(erasures.approveErasure, ({ params }) =>
    acted(params.erasureId, { status: "exporting", approvedBy: own.id, approvedByName: "System Administrator", approvedAt: inDays(0) }),
  );
  api.on(erasures.cancelErasure, ({ params }) => acted(params.erasureId, { status: "cancelled", finishedAt: inDays(0) }));
  api.on(erasures.requestErasure, ({ params, body }) => {
    const of = [riverside, lakeside].find(({ id }) => id === params.tenantId);
    const made = erasure(90, {
      ...{ kind: body.kind, tenantId: params.tenantId, tenantName: of?.name ?? "", reason: body.reason },
      callId: body.kind === "call" ? body.callId : null,
      fhirProviderId: body.kind === "patient" ? body.fhirProviderId : null,
      patientId: body.kind === "patient" ? body.patientId : null,
      ...{ requestedBy: own.id, requestedByName: "System Administrator", requestedAt: inDays(0) },
    });
    kept = [made, ...kept];
    return listed(made);
  });
  return { change, all: (): readonly ErasureDetail[] => kept };
}
