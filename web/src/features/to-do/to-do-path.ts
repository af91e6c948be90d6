import type { ToDo } from "@vitaline/contract";

/** The call, at the tool run that left the item. */
export const callPath = ({ kind, createdAt }: Pick<ToDo, "kind" | "createdAt">, callId: string): string => {
  const isOfRun = kind !== "unanswered_call" && kind !== "unresolved_call";
  return `/tenant/calls?${new URLSearchParams({ call: callId, ...(isOfRun ? { moment: createdAt } : {}) }).toString()}`;
};

const settingsPlaces: Readonly<Record<string, { to: string; name: string }>> = {
  record_system: { to: "/tenant?tab=fhir", name: "Record systems" },
  voice_platform: { to: "/tenant?tab=system", name: "System health" },
  webhook: { to: "/tenant/developers/webhooks", name: "Webhooks" },
};

/** Where a connection's trouble is mended. */
export const settingsOf = ({ topic }: Pick<ToDo, "topic">): { to: string; name: string } | undefined => settingsPlaces[topic ?? ""];
