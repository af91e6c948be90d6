import type { ChainRow, FhirHealthRow } from "@vitaline/store";
import { expect, test } from "vitest";
import { checksOf, type Facts } from "./checks.ts";

const now = new Date("2026-03-05T12:00:00.000Z");
const nothing: Facts = { now, counts: { today: {}, week: {}, month: {}, ever: {} }, chain: undefined, probes: [] };
const chain = (lastVerifiedAt: string): ChainRow => ({ hash: "h", batches: 1, rows: 1, at: lastVerifiedAt, lastVerifiedAt });
const probe = (status: FhirHealthRow["status"]): FhirHealthRow => ({ status, checkedAt: now.toISOString(), ms: 5 }) as FhirHealthRow;
const found = (facts: Partial<Facts>) => Object.fromEntries(checksOf({ ...nothing, ...facts }).map(({ id, ok }) => [id, ok]));
const ever = (counts: Record<string, number>): Partial<Facts> => ({ counts: { ...nothing.counts, ever: counts } });

test("a check without data is neither passed nor failed", () => {
  expect(found({})).toEqual({
    "administrators-second-factor": null,
    "archive-verified": null,
    "archive-intact": null,
    "events-processed": true,
    "record-systems-reachable": null,
  });
});

test("each check follows the stored data", () => {
  expect(found(ever({ activeAdmins: 2, adminsWithTotp: 2 }))).toMatchObject({ "administrators-second-factor": true });
  expect(found(ever({ activeAdmins: 2, adminsWithTotp: 1 }))).toMatchObject({ "administrators-second-factor": false });
  expect(found(ever({ verifiedChains: 3, intactChains: 3 }))).toMatchObject({ "archive-intact": true });
  expect(found(ever({ verifiedChains: 3, intactChains: 2 }))).toMatchObject({ "archive-intact": false });
  expect(found(ever({ keptEvents: 1 }))).toMatchObject({ "events-processed": false });
  expect(found({ chain: chain("2026-02-26T12:00:00.000Z") })).toMatchObject({ "archive-verified": true });
  expect(found({ chain: chain("2026-02-26T11:59:59.999Z") })).toMatchObject({ "archive-verified": false });
  expect(found({ probes: [probe("healthy")] })).toMatchObject({ "record-systems-reachable": true });
  expect(found({ probes: [probe("healthy"), probe("unhealthy")] })).toMatchObject({ "record-systems-reachable": false });
  expect(found({ probes: [probe("unhealthy"), undefined] })).toMatchObject({ "record-systems-reachable": false });
  // One was not tested since its last change
  expect(found({ probes: [probe("healthy"), undefined] })).toMatchObject({ "record-systems-reachable": null });
});
