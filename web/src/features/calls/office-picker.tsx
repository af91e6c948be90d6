import { InlineSelect } from "../../components/form/inline-select.tsx";
import { useOfficeNames } from "./office-names.ts";

type Props = {
  /** "" for all offices */
  officeId: string;
  onPick: (officeId: string) => void;
};

export const OfficePicker = ({ officeId, onPick }: Props) => {
  const names = useOfficeNames();
  const isUnknown = officeId !== "" && !names.has(officeId);
  return (
    <InlineSelect
      label="Office"
      value={officeId}
      options={[["", "All offices"], ...names, ...(isUnknown ? [[officeId, "Chosen office"] as const] : [])]}
      onPick={onPick}
    />
  );
};
