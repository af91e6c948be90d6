/** Whether the texts together have all words of what a person typed, in any order and in capitals or not. Nothing typed is had by all. */
export const hasWords = (texts: readonly (string | null | undefined)[], typed: string): boolean => {
  const text = texts.join(" ").toLowerCase();
  return typed
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
};

/** A list with fewer rows is seen at a glance, without a search. */
export const searchedFrom = 6;

const abbreviations: Readonly<Record<string, string>> = { api: "API", fhir: "FHIR", ehr: "EHR", id: "ID", ms: "ms", url: "URL" };

/** "HIPAA" and "GET" are names, not words. */
const isShouted = (name: string): boolean => /^[A-Z\d]+$/.test(name);

/** A machine's name as people write it: "fhirProviderId" is "FHIR provider ID", "customer-ended-call" is "Customer ended call". */
export const inWords = (name: string): string => {
  if (isShouted(name)) return name;
  const words = name
    .replaceAll(/([a-z\d])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[\s_.-]+/)
    .filter(Boolean)
    .map((word) => abbreviations[word] ?? word)
    .join(" ");
  return words.charAt(0).toUpperCase() + words.slice(1);
};
