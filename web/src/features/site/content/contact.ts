import type { Industry } from "@vitaline/contract";

/** Initial messages by `?topic=`. */
const initialMessages = new Map([
  ["demo", "I would like to see a demo. Times that work for me: "],
  ["light", "We are interested in the Light plan. "],
  ["core", "We are interested in the Core plan. "],
  ["security", "We would like the business associate agreement, and a conversation about security. "],
  ["enterprise", "We would like a quote for the Enterprise plan. "],
]);

/** Only known topics: a link from another site must not write a visitor's message. */
export const initialMessage = (topic: string | null): string => initialMessages.get(topic ?? "") ?? "";

export const industryNames: Record<Industry, string> = {
  healthcare: "Healthcare",
  dental: "Dental",
  homeservices: "Home services",
  cleaning: "Cleaning",
  hvac: "HVAC",
  wellness: "Wellness",
  other: "Other",
};

export const contactQuestions = [
  {
    question: "How soon do you answer?",
    answer: "Within support hours, the same day. What arrives on a Sunday is answered on Monday morning.",
  },
  {
    question: "I cannot sign in. What now?",
    answer:
      "Choose a new password with the link on the sign-in page. If no email arrives, tell us your organization, and we will look at your account.",
  },
  {
    question: "I saw an error. What should I send?",
    answer: "The request ID shown with it. It leads straight to what happened, without anything about a patient.",
  },
  {
    question: "May I describe a call with a patient?",
    answer: "Never with a name, a number or anything else that tells who it was. The call's ID is enough. It is in your dashboard.",
  },
] as const;
