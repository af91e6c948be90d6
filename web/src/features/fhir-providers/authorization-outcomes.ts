type Told = { status: "success" | "warning" | "error"; sentence: string };

/** What came of letting the platform in at a record system's own sign-in page, by the `ehr` of the address that it led back to. */
const outcomes: Record<string, Told> = {
  connected: { status: "success", sentence: "The record system is authorized. Test the connection to see that patients can be read." },
  expired: { status: "warning", sentence: "This sign-in was used before, or took too long. Please authorize the record system again." },
  changed: { status: "warning", sentence: "The record system was changed while you signed in. Please authorize it again." },
  denied: { status: "error", sentence: "The record system did not let the platform in. Ask its administrator, then authorize it again." },
  no_refresh_token: {
    status: "error",
    sentence: "The record system lets the platform in only once. Its administrator has to allow offline access first.",
  },
  refused: { status: "error", sentence: "The record system did not accept its own answer. Please authorize it again." },
  unavailable: { status: "error", sentence: "The record system could not be reached. Please authorize it again in a few minutes." },
};

/** undefined for what nobody leads back with. */
export const outcomeOf = (ehr: string | null): Told | undefined =>
  ehr !== null && Object.hasOwn(outcomes, ehr) ? outcomes[ehr] : undefined;
