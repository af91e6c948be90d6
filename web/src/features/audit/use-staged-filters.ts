import { useState } from "react";
import { areSame, type AuditFilters } from "./audit-filters.ts";

/** What is chosen and counts only once it is applied. Another address, as after Back, brings its own filters. */
export const useStagedFilters = (applied: AuditFilters) => {
  const [staged, setStaged] = useState({ of: applied, filters: applied });
  const isOfAddress = areSame(staged.of, applied);
  if (!isOfAddress) setStaged({ of: applied, filters: applied });
  const { filters } = isOfAddress ? staged : { filters: applied };
  const stage = (change: Partial<AuditFilters>): void => setStaged({ of: applied, filters: { ...filters, ...change } });
  return { filters, stage };
};
