import { useCallback, useLayoutEffect, useState } from "react";

export type FormState = "closed" | "open" | "dirty";

/** Reports a form's state to its dialog. `onForm` has to be stable. */
export const useReportForm = (isDirty: boolean, onForm: (state: FormState) => void): void => {
  // Before the next key event, which may be Escape.
  useLayoutEffect(() => {
    onForm(isDirty ? "dirty" : "open");
    return () => onForm("closed");
  }, [isDirty, onForm]);
};

/** `part` is a name of the dialog's own. */
export type ReportDraft = (part: string, isDraft: boolean) => void;

/** The parts of a dialog with unsaved input. */
export const useDrafts = () => {
  const [drafts, setDrafts] = useState<readonly string[]>([]);
  const tell = useCallback<ReportDraft>((part, isDraft) => {
    setDrafts((before) => {
      if (before.includes(part) === isDraft) return before;
      return isDraft ? [...before, part] : before.filter((one) => one !== part);
    });
  }, []);
  return { drafts, tell };
};

/** Reports unsaved input of a part while it is mounted. */
export const useReportDraft = (isDraft: boolean, part: string, tell: ReportDraft): void => {
  // Before the next key event, which may be Escape.
  useLayoutEffect(() => {
    tell(part, isDraft);
    return () => tell(part, false);
  }, [isDraft, part, tell]);
};
