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
