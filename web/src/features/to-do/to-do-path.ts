import type { ToDo } from "@vitaline/contract";

export const toDoPath = "/tenant/to-do";

/** The call, at the tool run that left the item. */
export const callPath = ({ kind, createdAt }: Pick<ToDo, "kind" | "createdAt">, callId: string): string => {
  const isOfRun = kind !== "unanswered_call" && kind !== "unresolved_call";
  return `/tenant?${new URLSearchParams({ tab: "analytics", call: callId, ...(isOfRun ? { moment: createdAt } : {}) }).toString()}`;
};

const settingsTabs: Readonly<Record<string, { tab: string; name: string }>> = {
  record_system: { tab: "fhir", name: "Record systems" },
  voice_platform: { tab: "system", name: "System health" },
  webhook: { tab: "api-keys", name: "Webhooks" },
};

/** Where a connection's trouble is mended. */
export const settingsOf = ({ topic }: Pick<ToDo, "topic">): { to: string; name: string } | undefined => {
  const place = settingsTabs[topic ?? ""];
  return place && { to: `/tenant?tab=${place.tab}`, name: place.name };
};
