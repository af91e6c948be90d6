import { Button } from "@chakra-ui/react/button";
import { DatePicker, parseDate } from "@chakra-ui/react/date-picker";
import { chakra } from "@chakra-ui/react/styled-system";
import CalendarDays from "lucide-react/dist/esm/icons/calendar-days.mjs";
import { type Ref, useState } from "react";
import { TextField } from "../../components/form/fields.tsx";
import { DateCalendar } from "./date-calendar.tsx";
import { dateFieldStyles } from "./date-field-styles.ts";
import { formatDate, isDate, readDate } from "./date-words.ts";

type Props = {
  label: string;
  /** "2026-05-01", or what was typed and is no date. */ value: string;
  onChange: (value: string) => void;
  error: string | undefined;
  /** The last day that can be picked. */ last: string;
  ref?: Ref<HTMLInputElement>;
};

const inWords = (value: string): string => (isDate(value) ? formatDate(value) : value);

/** A day, typed or picked in a calendar whose weeks begin on Sunday. */
const DateField = ({ label, value, onChange, error, last, ref }: Props) => {
  // As long as somebody types, the text is theirs.
  const [typed, setTyped] = useState<string>();
  const name = `Calendar for ${label.toLowerCase()}`;
  const pick = (date: string) => {
    setTyped(undefined);
    onChange(date);
  };
  return (
    <chakra.div css={dateFieldStyles}>
      <DatePicker.Root
        unstyled
        locale="en-US"
        startOfWeek={0}
        value={isDate(value) ? [parseDate(value)] : []}
        max={parseDate(last)}
        onValueChange={(chosen) => chosen.value[0] && pick(chosen.value[0].toString().slice(0, 10))}
      >
        <chakra.div display="flex" gap="2" alignItems="flex-start">
          <chakra.div flex="1" minW="0">
            <TextField
              ref={ref}
              label={label}
              error={error}
              placeholder="MMM dd, yyyy"
              autoComplete="off"
              value={typed ?? inWords(value)}
              onChange={({ target }) => {
                setTyped(target.value);
                onChange(readDate(target.value) ?? target.value);
              }}
              onBlur={() => setTyped(undefined)}
            />
          </chakra.div>
          {/* Around the button alone: the calendar writes into every input that it finds in here. */}
          <DatePicker.Control>
            <DatePicker.Trigger asChild>
              <Button variant="outline" size="lg" h="11" px="3" mt="1.625rem" aria-label={name}>
                <CalendarDays aria-hidden />
              </Button>
            </DatePicker.Trigger>
          </DatePicker.Control>
        </chakra.div>
        <DateCalendar name={name} />
      </DatePicker.Root>
    </chakra.div>
  );
};

export default DateField;
