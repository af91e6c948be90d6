/** What a visitor came to write about, by the address's `?topic=`: how the message begins. */
const beginnings = new Map([
  ["demo", "I would like to see a demo. Times that suit me: "],
  ["light", "We are interested in the Light plan. "],
  ["core", "We are interested in the Core plan. "],
  ["enterprise", "We would like an offer for the Enterprise plan. "],
]);

/** A topic that this site does not know begins nothing: no link from outside puts words into a visitor's mouth. */
export const beginningOf = (topic: string | null): string => beginnings.get(topic ?? "") ?? "";
