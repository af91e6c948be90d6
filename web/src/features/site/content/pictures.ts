/** Of every picture, in CSS pixels. */
export const pictureSize = { width: 1120, height: 700 };

export type PictureName = "overview" | "call" | "audit" | "connection";
export type Picture = { name: PictureName; title: string; alt: string };

/** `npm run pictures` takes them from the demo data, light and dark. */
export const pictures: readonly Picture[] = [
  {
    name: "overview",
    title: "The day at a glance",
    alt: "A clinic's dashboard: total calls, resolution rate, appointments booked and time saved of the last 30 days, above the latest calls and the tools used most.",
  },
  {
    name: "call",
    title: "What happened on a call",
    alt: "The details of one call: its summary, length and outcome, and the conversation of the agent and the caller, line by line.",
  },
  {
    name: "audit",
    title: "Who did what, and when",
    alt: "The audit log of a clinic: each access to a patient's record with its time, the acting agent or person, and the action.",
  },
  {
    name: "connection",
    title: "A record system that answers",
    alt: "The test of a connection to the record system, step by step: the server was reached, a token was granted, the FHIR version matches, and a patient was read.",
  },
];
