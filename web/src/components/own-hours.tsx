import { SimpleGrid } from "@chakra-ui/react/simple-grid";
import { chakra } from "@chakra-ui/react/styled-system";
import { weekdays } from "@vitaline/contract";
import { type FieldValues, type Path, useWatch } from "react-hook-form";
import type { useRequestForm } from "../app/request-form.ts";
import { timeZoneOptions } from "../format/time-zones.ts";
import { ChoiceField } from "./choice-field.tsx";
import { DayRow } from "./day-row.tsx";
import { TextField } from "./text-field.tsx";

type Props<V extends FieldValues, Sent> = Pick<ReturnType<typeof useRequestForm<V, Sent>>, "form" | "field"> & {
  /** Where the form holds its HoursValues, as "businessHours". */ place: string;
};

/** The hours of all days with their zone, and single days that differ or are closed. */
export const OwnHours = <V extends FieldValues, Sent>({ form, field, place }: Props<V, Sent>) => {
  const at = (name: string) => `${place}.${name}` as Path<V>;
  const timezone = String(useWatch({ control: form.control, name: at("timezone") }));
  return (
    <>
      <SimpleGrid columns={{ base: 2, sm: 4 }} gap="4">
        <TextField label="Opens" type="time" {...field(at("start"))} />
        <TextField label="Closes" type="time" {...field(at("end"))} />
        <chakra.div gridColumn="span 2">
          <ChoiceField label="Time zone" options={timeZoneOptions(timezone)} {...field(at("timezone"))} />
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
