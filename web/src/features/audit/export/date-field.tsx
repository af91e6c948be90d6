import { Button } from "@chakra-ui/react/button";
import { DatePicker, parseDate, useDatePickerContext } from "@chakra-ui/react/date-picker";
import { chakra } from "@chakra-ui/react/styled-system";
import CalendarDays from "lucide-react/dist/esm/icons/calendar-days.mjs";
import { type Ref, useState } from "react";
import { TextField } from "../../../components/form/fields.tsx";
import { formatDate, isDate, readDate } from "./export-format.ts";

const ring = { outline: "0", focusVisibleRing: "outside", borderRadius: "l1" } as const;

/** The calendar opens inline: the dialog's top layer would cover a floating one. */
const dateFieldStyles = {
  "& [data-part=content]": { mt: "2", p: "3", borderWidth: "1px", borderColor: "border", borderRadius: "l2", maxW: "xs" },
  "& [data-part=content][hidden]": { display: "none" },
  "& [data-part=view-control]": { display: "flex", alignItems: "center", justifyContent: "space-between", mb: "2" },
  "& :is([data-part=view-trigger], [data-part=prev-trigger], [data-part=next-trigger])": {
    ...ring,
    minH: "9",
    minW: "9",
    px: "2",
    fontWeight: "semibold",
    cursor: "button",
    display: "inline-flex",
    alignItems: "center",
    justifyContent: "center",
    _hover: { bg: "bg.muted" },
    _disabled: { layerStyle: "disabled" },
  },
  "& [data-part=table]": { w: "full", textStyle: "sm", fontVariantNumeric: "tabular-nums" },
  "& [data-part=table-header]": { color: "fg.muted", fontWeight: "medium", h: "8", textAlign: "center" },
  "& [data-part=table-cell]": { p: "0.5", textAlign: "center" },
  "& [data-part=table-cell-trigger]": {
    ...ring,
    display: "flex",
    alignItems: "center",
    justifyContent: "center",
    minH: "8",
    cursor: "button",
    "&[data-outside-range]": { visibility: "hidden" },
    "&[data-today]": { fontWeight: "bold", color: "teal.fg", textDecoration: "underline" },
    "&[data-disabled]": { color: "fg.muted", cursor: "not-allowed", textDecoration: "line-through" },
    "&:not([data-disabled]):hover": { bg: "bg.muted" },
    "&[data-selected]": { bg: "teal.solid", color: "teal.contrast", textDecoration: "none" },
    "&[data-selected]:hover": { bg: "teal.solid" },
  },
} as const;

type Props = {
  label: string;
  /** An ISO date, or the raw text if it is not a date */
  value: string;
  onChange: (value: string) => void;
  error: string | undefined;
  last: string;
  ref?: Ref<HTMLInputElement>;
};

const DateField = ({ label, value, onChange, error, last, ref }: Props) => {
  // The raw text, only while the field has focus.
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
              value={typed ?? displayText(value)}
              onChange={({ target }) => {
                setTyped(target.value);
                onChange(readDate(target.value) ?? target.value);
              }}
              onBlur={() => setTyped(undefined)}
            />
          </chakra.div>
          {/* Wraps only the button, because DatePicker writes into every input inside it. */}
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

const displayText = (value: string): string => (isDate(value) ? formatDate(value) : value);

const DateCalendar = ({ name }: { name: string }) => (
  <DatePicker.Content aria-label={name}>
    <DatePicker.View view="day">
      <CalendarHeader />
      <DatePicker.DayTable />
    </DatePicker.View>
    <DatePicker.View view="month">
      <CalendarHeader />
      <DatePicker.MonthTable />
    </DatePicker.View>
    <DatePicker.View view="year">
      <CalendarHeader />
      <DatePicker.YearTable />
    </DatePicker.View>
  </DatePicker.Content>
);

const CalendarHeader = () => {
  const { start, end } = useDatePickerContext().visibleRangeText;
  const shown = [...new Set([start, end])].filter(Boolean).join(" - ");
  return (
    <DatePicker.ViewControl>
      <DatePicker.PrevTrigger />
      <DatePicker.ViewTrigger aria-label={`${shown}, choose another`}>{shown}</DatePicker.ViewTrigger>
      <DatePicker.NextTrigger />
    </DatePicker.ViewControl>
  );
};

export default DateField;
