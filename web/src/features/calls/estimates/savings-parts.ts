import type { Savings } from "@vitaline/contract";

type SavingsPart = keyof Savings["breakdown"];

export const savingsParts: readonly SavingsPart[] = ["callHandling", "dataRetrieval", "administrative"];

export const savingsPartNames: Record<SavingsPart, string> = {
  callHandling: "Call handling",
  dataRetrieval: "Data retrieval",
  administrative: "Administrative",
};
