import { Stack } from "@chakra-ui/react/stack";
import { useWatch } from "react-hook-form";
import { ChoiceField } from "../../../components/form/fields.tsx";
import { HoursField } from "../../../components/form/hours-field.tsx";
import type { OfficeFormState } from "./use-office-form.ts";

export type HoursPlace = "businessHours" | `staffRouting.${number}.hours`;

type Props = {
  office: OfficeFormState;
  place: HoursPlace;
  label: string;
  inheritedLabel: string;
  inherited: readonly string[];
};

export const HoursFields = ({ office, place, label, inheritedLabel, inherited }: Props) => {
  const source = useWatch({ control: office.form.control, name: `${place}.source` });
  return (
    <Stack gap="5">
      <ChoiceField
        label={label}
        options={[
          { value: "inherited", label: inheritedLabel },
          { value: "own", label: "Its own hours" },
        ]}
        hint={source === "inherited" ? inherited.join(" · ") : undefined}
        {...office.field(`${place}.source`)}
      />
      {source === "own" ? <HoursField form={office.form} field={office.field} place={place} /> : null}
    </Stack>
  );
};
