import type { PlatformCounts } from "@vitaline/audit";
import type { ComplianceMetrics } from "@vitaline/contract";
import type { ChainRow, FhirHealthRow } from "@vitaline/store";

type Check = ComplianceMetrics["checks"][number];
export type Facts = { now: Date; counts: PlatformCounts; chain: ChainRow | undefined; probes: Probes };
/** One per active record system; undefined if it has not been tested since its last change. */
type Probes = readonly (FhirHealthRow | undefined)[];

const verifiedWithinMs = 7 * 24 * 3_600_000;

export const checksOf = (facts: Facts): Check[] => [
  secondFactors(facts),
  archiveVerified(facts),
  archiveIntegrity(facts),
  eventsProcessed(facts),
  recordSystems(facts),
];

const secondFactors = ({ counts: { ever } }: Facts): Check => {
  const { activeAdmins = 0, adminsWithTotp = 0 } = ever;
  return {
    id: "administrators-second-factor",
    name: "Every system administrator signs in with a second factor",
    ok: activeAdmins === 0 ? null : adminsWithTotp === activeAdmins,
    detail: `${adminsWithTotp} of ${activeAdmins} active administrators have set one up`,
  };
};

const archiveVerified = ({ now, chain }: Facts): Check => {
  const last = chain?.lastVerifiedAt;
  return {
    id: "archive-verified",
    name: "The audit archive was verified within 7 days",
    ok: last === undefined ? null : now.getTime() - Date.parse(last) <= verifiedWithinMs,
    detail: last === undefined ? "It has not been verified yet" : `Last verified at ${last}`,
  };
};

const archiveIntegrity = ({ counts: { ever } }: Facts): Check => {
  const { verifiedChains = 0, intactChains = 0 } = ever;
  return {
    id: "archive-intact",
    name: "No row of the audit archive is altered, missing or out of order",
    ok: verifiedChains === 0 ? null : intactChains === verifiedChains,
    detail: verifiedChains === 0 ? "It has not been verified yet" : `${intactChains} of ${verifiedChains} verified chains are intact`,
  };
};

const eventsProcessed = ({ counts: { ever } }: Facts): Check => {
  const { keptEvents = 0 } = ever;
  return {
    id: "events-processed",
    name: "Every event was processed",
    ok: keptEvents === 0,
    detail: keptEvents === 0 ? "None waits" : `${keptEvents} could not be processed and ${keptEvents === 1 ? "is" : "are"} kept for replay`,
  };
};

const recordSystems = ({ probes }: Facts): Check => {
  const tested = probes.filter((probe) => probe !== undefined);
  const healthy = tested.filter(({ status }) => status === "healthy").length;
  const untested = probes.length - tested.length;
  return {
    id: "record-systems-reachable",
    name: "Every record system answered its last test",
    ok: healthy < tested.length ? false : tested.length === 0 || untested > 0 ? null : true,
    detail:
      tested.length === 0
        ? "None has been tested yet"
        : `${healthy} of ${tested.length} answered${untested === 0 ? "" : `; ${untested} not tested since changed or added`}`,
  };
};
