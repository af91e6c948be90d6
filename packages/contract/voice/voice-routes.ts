import { callReports } from "./call-reports.ts";
import { elevenLabs, hooks, retell } from "./hooks.ts";
import { vapi } from "./vapi.ts";

/** In a file of its own, so that the function loads no other routes. */
export const voiceRoutes = { ...vapi, ...retell, ...elevenLabs, ...callReports, ...hooks };
