import { SimpleGrid } from "@chakra-ui/react/simple-grid";
import { maxHolidays, type OfficeFacts } from "@vitaline/contract";
import type { FieldValues, Path } from "react-hook-form";
import { errorWithin, plainForm } from "../../../lib/forms/array-fields.ts";
import { formatDay } from "../../../lib/format/times.ts";
import { TextField } from "../fields.tsx";
import { FactRows } from "./fact-rows.tsx";
import type { FactsProps } from "./facts-props.ts";

const inWords = ({ holidays }: OfficeFacts): string =>
  holidays.map(({ date, name }) => `${name}, ${formatDay(`${date}T00:00:00Z`, "UTC")}`).join(" · ");

/** Days on which the office is closed. */
export const HolidayFields = <V extends FieldValues, Sent>({ form, field, place, inherited }: FactsProps<V, Sent>) => {
  const list = `${place}.holidays`;
  const ofOrganization = inherited ? inWords(inherited) : "";
  return (
    <FactRows
      control={plainForm(form).control}
      place={list}
      legend="Holidays"
      thing="holiday"
      whenEmpty={
        ofOrganization === "" ? "None yet: the office keeps its usual hours every day." : `Same as the organization: ${ofOrganization}`
      }
      most={maxHolidays}
      blank={{ date: "", name: "" }}
      error={errorWithin(form.formState.errors, list)}
    >
      {(at) => (
        <SimpleGrid columns={{ base: 1, sm: 2 }} gap="3">
          <TextField label="Closed on" type="date" {...field(`${list}.${at}.date` as Path<V>)} />
          <TextField label="Name" placeholder="e.g. Thanksgiving" autoComplete="off" {...field(`${list}.${at}.name` as Path<V>)} />
        </SimpleGrid>
      )}
    </FactRows>
  );
};
