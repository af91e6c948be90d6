import { useLayoutEffect } from "react";

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
