import { SimpleGrid } from "@chakra-ui/react/simple-grid";
import { Stack } from "@chakra-ui/react/stack";
import { chakra } from "@chakra-ui/react/styled-system";
import { weekdays } from "@vitaline/contract";
import { useWatch } from "react-hook-form";
import { ChoiceField } from "../../components/choice-field.tsx";
import { TextField } from "../../components/text-field.tsx";
import { DayRow } from "./day-row.tsx";
import { timeZoneOptions } from "./time-zones.ts";
import type { OfficeFormState } from "./use-office-form.ts";

export type HoursPlace = "businessHours" | `staffRouting.${number}.hours`;

type Props = {
  office: OfficeFormState;
  place: HoursPlace;
  label: string;
  /** What stands for the hours that are not its own, as a choice. */ inheritedLabel: string;
  /** Those hours in words. */ inherited: readonly string[];
};

const OwnHours = ({ office: { field, form }, place }: Pick<Props, "office" | "place">) => {
  const timezone = useWatch({ control: form.control, name: `${place}.timezone` });
  return (
    <>
      <SimpleGrid columns={{ base: 2, sm: 4 }} gap="4">
        <TextField label="Opens" type="time" {...field(`${place}.start`)} />
        <TextField label="Closes" type="time" {...field(`${place}.end`)} />
        <chakra.div gridColumn="span 2">
          <ChoiceField label="Time zone" options={timeZoneOptions(timezone)} {...field(`${place}.timezone`)} />
        </chakra.div>
      </SimpleGrid>
      <chakra.fieldset display="flex" flexDirection="column" gap="2" minW="0">
        <chakra.legend textStyle="sm" fontWeight="semibold" mb="2">
          Single days
        </chakra.legend>
        {weekdays.map((day) => (
          <DayRow key={day} form={form} place={`${place}.days.${day}`} />
        ))}
      </chakra.fieldset>
    </>
  );
};

/** Hours that are inherited or one's own: the same on all days, but for single ones that differ or are closed. */
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
      {source === "own" ? <OwnHours office={office} place={place} /> : null}
    </Stack>
  );
};
