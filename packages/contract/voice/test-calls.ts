import * as z from "zod/mini";
import { Call } from "../calls/calls.ts";
import { routes } from "../http/route.ts";
import { PlatformCallId } from "./vapi.ts";

const platform = Call.shape.platform;

export const testCalls = routes({
  startTestCall: {
    method: "POST",
    path: "/api/tenant/test-calls",
    auth: "tenant_admin",
    summary: "Begin a test call: tools that are then run with its id are in the list of calls, marked as a test, and in no total",
    status: 201,
    noStore: true,
    body: z.strictObject({ platform }),
    /** `callId`: as the platform's own id. `id`: of the call in the list. */
    response: z.object({ callId: z.string(), id: z.string() }),
  },
  endTestCall: {
    method: "POST",
    path: "/api/tenant/test-calls/end",
    auth: "tenant_admin",
    summary: "End a test call",
    status: 204,
    body: z.strictObject({ platform, callId: PlatformCallId }),
    response: z.void(),
  },
});
