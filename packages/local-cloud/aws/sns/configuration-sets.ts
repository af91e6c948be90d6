export type EventDestination = { topicArn: string; eventTypes: string[] };

/** By name. While the map is empty, every name is accepted and no events are published. */
export type ConfigurationSets = Map<string, EventDestination[]>;

export type ServiceEvent = { type: string; body: object };

export type Publish = (topicArn: string, message: string) => void;

export const isKnown = (sets: ConfigurationSets, name: string | undefined): boolean =>
  name === undefined || sets.size === 0 || sets.has(name);

export function publishEvents(
  { sets, publish }: { sets: ConfigurationSets; publish: Publish },
  name: string | undefined,
  events: readonly ServiceEvent[],
): void {
  for (const { type, body } of events)
    for (const { topicArn, eventTypes } of sets.get(name ?? "") ?? [])
      if (eventTypes.some((wanted) => [type, "ALL", "TEXT_ALL"].includes(wanted))) publish(topicArn, JSON.stringify(body));
}
