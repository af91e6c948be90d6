import { useEffect, useRef } from "react";
import { partOf } from "./office-values.ts";
import type { OfficeFormState } from "./use-office-form.ts";
import { formParts } from "./use-office-place.ts";

/** After a refusal, the first part that has something to correct opens, and its first such field takes the focus. */
export const useWayToMistakes = (office: OfficeFormState, part: string, onShow: (part: string) => void) => {
  const frame = useRef<HTMLDivElement>(null);
  const isOnTheWay = useRef(false);
  const { errors, submitCount } = office.form.formState;
  const wrong = new Set<string>(Object.keys(errors).map(partOf));
  const next = wrong.has(part) ? part : formParts.find((one) => wrong.has(one));

  const seen = useRef(submitCount);
  useEffect(() => {
    if (seen.current === submitCount) return;
    seen.current = submitCount;
    if (next === undefined || next === part) return;
    isOnTheWay.current = true;
    onShow(next);
  }, [submitCount, next, part, onShow]);
  useEffect(() => {
    if (!isOnTheWay.current) return;
    isOnTheWay.current = false;
    // Once the part is shown: what is hidden takes no focus.
    requestAnimationFrame(() => frame.current?.querySelector<HTMLElement>("[role=tabpanel]:not([hidden]) [aria-invalid=true]")?.focus());
  }, [part]);
  return { frame, wrong };
};
