import { contract } from "@vitaline/contract";
import { reachingOut } from "../lib/ehr.ts";
import { people } from "../lib/people.ts";
import { serve } from "../lib/serve.ts";
import { auditVerbs } from "./audit.ts";
import { callVerbs } from "./calls.ts";
import { dashboardVerbs } from "./dashboard.ts";
import { healthVerbs } from "./health.ts";
import { infoVerbs } from "./info.ts";
import { keyVerbs } from "./keys.ts";
import { leadVerbs } from "./leads.ts";
import { messageVerbs } from "./messages.ts";
import { officeVerbs } from "./offices.ts";
import { taskVerbs } from "./tasks.ts";
import { calendarFeedVerbs, webhookVerbs } from "./webhooks.ts";

/** It calls nobody, but says whether an address that somebody has typed can be called. */
export const handler = reachingOut(
  serve(
    contract.tenant,
    people,
  )({
    ...infoVerbs,
    ...keyVerbs,
    ...officeVerbs,
    ...dashboardVerbs,
    ...callVerbs,
    ...leadVerbs,
    ...taskVerbs,
    ...messageVerbs,
    ...webhookVerbs,
    ...calendarFeedVerbs,
    ...auditVerbs,
    ...healthVerbs,
  }),
);
