/** Where events of what was sent under a set go: a topic, and the kinds that it wants, as a template spells them. */
export type EventDestination = { topicArn: string; eventTypes: string[] };

/** Configuration sets by name, of one service; while none is declared, any name is taken and nothing told. */
export type ConfigurationSets = Map<string, EventDestination[]>;

/** One word of a service about a message, under the kind that destinations choose by. */
export type ServiceEvent = { type: string; body: object };

export type Publish = (topicArn: string, message: string) => void;

export const isKnown = (sets: ConfigurationSets, name: string | undefined): boolean =>
  name === undefined || sets.size === 0 || sets.has(name);

/** Publishes each event to every destination of the set that wants its kind. */
export function publishEvents(
  { sets, publish }: { sets: ConfigurationSets; publish: Publish },
  name: string | undefined,
  events: readonly ServiceEvent[],
): void {
  for (const { type, body } of events)
    for (const { topicArn, eventTypes } of sets.get(name ?? "") ?? [])
      if (eventTypes.some((wanted) => [type, "ALL", "TEXT_ALL"].includes(wanted))) publish(topicArn, JSON.stringify(body));
}
