import { Input } from "@chakra-ui/react/input";
import { NativeSelect } from "@chakra-ui/react/native-select";
import { chakra } from "@chakra-ui/react/styled-system";
import { useId } from "react";
import { get, useWatch } from "react-hook-form";
import type { HoursPlace } from "./hours-fields.tsx";
import type { HoursValues } from "./hours-values.ts";
import type { OfficeFormState } from "./use-office-form.ts";

type Weekday = keyof HoursValues["days"];
type Props = { form: OfficeFormState["form"]; place: `${HoursPlace}.days.${Weekday}` };

const nameOf = (place: string): string => {
  const day = place.slice(place.lastIndexOf(".") + 1);
  return day.charAt(0).toUpperCase() + day.slice(1);
};

const Range = ({ form, place }: Props) => {
  const errorId = useId();
  const day = nameOf(place);
  const messages = (["start", "end"] as const).map((name) => get(form.formState.errors, `${place}.${name}.message`) as string | undefined);
  const told = messages.filter((message) => message !== undefined);
  const tied = (message: string | undefined) => ({
    "aria-invalid": message !== undefined,
    "aria-describedby": told.length > 0 ? errorId : undefined,
  });
  return (
    <chakra.div gridColumn={{ base: "1 / -1", sm: "auto" }}>
      <chakra.div display="flex" alignItems="center" gap="2">
        <Input type="time" aria-label={`${day} opens`} {...tied(messages[0])} {...form.register(`${place}.start`)} />
        <span aria-hidden>–</span>
        <Input type="time" aria-label={`${day} closes`} {...tied(messages[1])} {...form.register(`${place}.end`)} />
      </chakra.div>
      {told.length === 0 ? null : (
        <chakra.p id={errorId} aria-live="polite" color="fg.error" textStyle="sm" fontWeight="medium" mt="1">
          {told[0]}
        </chakra.p>
      )}
    </chakra.div>
  );
};

/** One day of a week: as all days, with hours of its own, or closed. */
export const DayRow = ({ form, place }: Props) => {
  const rule = useWatch({ control: form.control, name: `${place}.rule` });
  const day = nameOf(place);
  return (
    <chakra.div
      display="grid"
      gridTemplateColumns={{ base: "6.5rem 1fr", sm: "6.5rem 10rem minmax(0, 1fr)" }}
      alignItems="center"
      columnGap="4"
      rowGap="2"
      minH="11"
    >
      <chakra.span textStyle="sm" color="fg.muted">
        {day}
      </chakra.span>
      <NativeSelect.Root>
        <NativeSelect.Field aria-label={day} {...form.register(`${place}.rule`)}>
          <option value="same">As above</option>
          <option value="own">Other hours</option>
          <option value="closed">Closed</option>
        </NativeSelect.Field>
        <NativeSelect.Indicator />
      </NativeSelect.Root>
      {rule === "own" ? <Range form={form} place={place} /> : null}
    </chakra.div>
  );
};
