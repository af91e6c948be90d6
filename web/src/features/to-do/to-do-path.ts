import type { TenantRouteKey, ToDo } from "@vitaline/contract";

/** The call, at the tool run that left the item. */
export const callPath = ({ kind, createdAt }: Pick<ToDo, "kind" | "createdAt">, callId: string): string => {
  const isOfRun = kind !== "unanswered_call" && kind !== "unresolved_call";
  return `/tenant/calls?${new URLSearchParams({ call: callId, ...(isOfRun ? { moment: createdAt } : {}) }).toString()}`;
};

/** `needs`: it opens to users whose access opens this route. */
type Place = { what: string; to: string; name: string; needs: TenantRouteKey };

const recordSystems: Place = {
  ...{ what: "Where to fix it", to: "/tenant?tab=fhir", name: "Record systems" },
  needs: "GET /api/tenant/dashboard/fhir-providers",
};
const places: Readonly<Record<string, Place>> = {
  record_system: recordSystems,
  no_record_system: recordSystems,
  voice_platform: {
    ...{ what: "Where to fix it", to: "/tenant/settings/voice", name: "Voice platforms" },
    needs: "POST /api/tenant/voice-providers",
  },
  webhook: { what: "Where to fix it", to: "/tenant/developers/webhooks", name: "Webhooks", needs: "GET /api/tenant/webhooks" },
  tools_fail: {
    ...{ what: "Which calls", to: "/tenant/calls?range=24hours&toolFailed=true&withoutTests=true", name: "Calls with failed tools" },
    needs: "GET /api/tenant/calls",
  },
};

/** Where a connection's trouble is mended, or seen. */
export const placeOf = ({ topic }: Pick<ToDo, "topic">): Place | undefined => places[topic ?? ""];
