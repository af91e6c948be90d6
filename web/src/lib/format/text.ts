/** Whether the texts together contain all words of the query, in any order and case. An empty query matches. */
export const hasWords = (texts: readonly (string | null | undefined)[], typed: string): boolean => {
  const text = texts.join(" ").toLowerCase();
  return typed
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
};

/** Shorter lists need no search. */
export const minRowsForSearch = 6;

const abbreviations: Readonly<Record<string, string>> = { api: "API", fhir: "FHIR", ehr: "EHR", id: "ID", ms: "ms", url: "URL" };

/** "HIPAA" and "GET" stay in capitals. */
const isAcronym = (name: string): boolean => /^[A-Z\d]+$/.test(name);

/** "fhirProviderId" → "FHIR provider ID", "customer-ended-call" → "Customer ended call" */
export const formatName = (name: string): string => {
  if (isAcronym(name)) return name;
  const words = name
    .replaceAll(/([a-z\d])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[\s_.-]+/)
    .filter(Boolean)
    .map((word) => abbreviations[word] ?? word)
    .join(" ");
  return words.charAt(0).toUpperCase() + words.slice(1);
};
