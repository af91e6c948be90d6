import { useCallback, useLayoutEffect, useState } from "react";

/** Of a form that opens within a dialog: whether it is there, and whether something was typed that closing would lose. */
export type FormState = "closed" | "open" | "dirty";

/** Tells the dialog around a form how it stands, until the form is gone. `onForm` has to stay the same. */
export const useTellForm = (isDirty: boolean, onForm: (state: FormState) => void): void => {
  // Before the next key, which may be Escape
  useLayoutEffect(() => {
    onForm(isDirty ? "dirty" : "open");
    return () => onForm("closed");
  }, [isDirty, onForm]);
};

/** Tells the dialog around a part, by a name of the dialog's own, whether the part holds what closing the dialog would lose. */
export type TellDraft = (part: string, isDraft: boolean) => void;

/** Which parts of a dialog hold what closing it would lose. */
export const useDrafts = () => {
  const [drafts, setDrafts] = useState<readonly string[]>([]);
  const tell = useCallback<TellDraft>((part, isDraft) => {
    setDrafts((before) => {
      if (before.includes(part) === isDraft) return before;
      return isDraft ? [...before, part] : before.filter((one) => one !== part);
    });
  }, []);
  return { drafts, tell };
};

/** Tells of a part's draft for as long as the part is there. */
export const useDraft = (isDraft: boolean, part: string, tell: TellDraft): void => {
  // Before the next key, which may be Escape
  useLayoutEffect(() => {
    tell(part, isDraft);
    return () => tell(part, false);
  }, [isDraft, part, tell]);
};
