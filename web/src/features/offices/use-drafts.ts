import { useCallback, useEffect, useState } from "react";

/** The parts that can hold what closing the dialog would lose. */
export type DraftPart = "record" | "agents" | "record-system" | "calendar" | "details" | "preferences" | "policies";
export type TellDraft = (part: DraftPart, isDraft: boolean) => void;

/** Which parts of a dialog hold what closing it would lose. */
export const useDrafts = () => {
  const [drafts, setDrafts] = useState<readonly DraftPart[]>([]);
  const tell = useCallback<TellDraft>((part, isDraft) => {
    setDrafts((before) => {
      if (before.includes(part) === isDraft) return before;
      return isDraft ? [...before, part] : before.filter((one) => one !== part);
    });
  }, []);
  return { drafts, tell };
};

/** Tells of a part's draft for as long as the part is there. */
export const useDraft = (isDraft: boolean, part: DraftPart, tell: TellDraft): void => {
  useEffect(() => {
    tell(part, isDraft);
    return () => tell(part, false);
  }, [isDraft, part, tell]);
};
