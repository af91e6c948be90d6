import { contract } from "@vitaline/contract";
import { serve } from "../lib/api/serve.ts";
import { sessionAuth } from "../lib/auth/session.ts";
import { withOutbound } from "../lib/context/ehr-context.ts";
import { callHandlers, dashboardHandlers, followUpHandlers } from "./calls.ts";
import { auditAndHealthHandlers } from "./audit.ts";
import { settingsHandlers } from "./settings.ts";
import { officeHandlers } from "./offices.ts";
import { calendarFeedHandlers, webhookHandlers } from "./webhooks.ts";

/** It calls no webhook itself, but the outbound guard checks the addresses of new ones. */
export const handler = withOutbound(
  serve(contract.tenant, sessionAuth, ["accounts"])({
    ...settingsHandlers,
    ...officeHandlers,
    ...dashboardHandlers,
    ...callHandlers,
    ...followUpHandlers,
    ...webhookHandlers,
    ...calendarFeedHandlers,
    ...auditAndHealthHandlers,
  }),
);
