import type { Savings } from "@vitaline/contract";

export type SavingsPart = keyof Savings["breakdown"];

/** Which work the savings are counted to, in the order in which it is shown. */
export const savingsParts: readonly SavingsPart[] = ["callHandling", "dataRetrieval", "administrative"];

export const savingsPartNames: Record<SavingsPart, string> = {
  callHandling: "Call handling",
  dataRetrieval: "Data retrieval",
  administrative: "Administrative",
};
