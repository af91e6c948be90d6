import { contract } from "@vitaline/contract";
import { platformMetrics } from "@vitaline/calls/platform-reads.ts";
import { people } from "../lib/people.ts";
import { serve } from "../lib/serve.ts";
import { auditVerbs } from "./audit.ts";
import { complianceVerbs } from "./compliance.ts";
import { contactVerbs } from "./contact.ts";
import { healthVerbs } from "./health.ts";

export const handler = serve(
  contract.dashboard,
  people,
)({
  platformMetrics: (ctx) => platformMetrics(ctx),
  ...auditVerbs,
  ...complianceVerbs,
  ...healthVerbs,
  ...contactVerbs,
});
