import { Button } from "@chakra-ui/react/button";
import { Stack } from "@chakra-ui/react/stack";
import { chakra } from "@chakra-ui/react/styled-system";
import { breakFault, maxBreaks } from "@vitaline/contract";
import Plus from "lucide-react/dist/esm/icons/plus.mjs";
import Trash2 from "lucide-react/dist/esm/icons/trash-2.mjs";
import { useRef, useState } from "react";
import { useFieldArray, type UseFormReturn } from "react-hook-form";
import { Announcement } from "../feedback/alerts.tsx";
import { TimeRange } from "./time-range.tsx";

type Props = {
  form: UseFormReturn;
  /** The form's path of the hours with these breaks, such as "businessHours.days.monday". */
  place: string;
  /** "Monday", for the breaks of a single day. */
  day?: string;
};

/** On a phone, both times need the whole width. */
const breakGrid = {
  display: "grid",
  gridTemplateColumns: { base: "minmax(0, 1fr) auto", sm: "auto minmax(0, 1fr) auto" },
  gridTemplateAreas: { base: `"name remove" "times times"`, sm: `"name times remove"` },
  columnGap: "2",
  alignItems: "start",
} as const;

const lunch = { start: "12:00", end: "13:00" };

/** Breaks of one day's hours, or of every day's. */
export const BreakFields = ({ form, place, day }: Props) => {
  const { fields, append, remove } = useFieldArray({ control: form.control, name: `${place}.breaks` });
  const [said, setSaid] = useState("");
  const addButton = useRef<HTMLButtonElement>(null);
  const isFull = fields.length >= maxBreaks;
  const nameOf = (at: number): string => (day ? `${day} break ${at + 1}` : `Break ${at + 1}`);
  const add = () => {
    const { start, end, breaks } = form.getValues(place);
    append(breakFault({ start, end, breaks: [...breaks, lunch] }) ? { start: "", end: "" } : lunch);
    setSaid("");
  };
  const takeAway = (at: number) => {
    remove(at);
    setSaid(`Removed ${nameOf(at)}`);
    addButton.current?.focus();
  };
  return (
    <Stack gap="2" align="stretch">
      {fields.length === 0 ? null : (
        <Stack as="ul" listStyleType="none" gap="2">
          {fields.map(({ id }, at) => (
            <chakra.li key={id} aria-label={nameOf(at)} {...breakGrid}>
              <chakra.span gridArea="name" aria-hidden display="flex" alignItems="center" h="11" textStyle="sm" color="fg.muted">
                Break
              </chakra.span>
              <chakra.div gridArea="times" minW="0">
                <TimeRange
                  form={form}
                  place={`${place}.breaks.${at}`}
                  labels={{ start: `${nameOf(at)} starts`, end: `${nameOf(at)} ends` }}
                />
              </chakra.div>
              <Button
                gridArea="remove"
                variant="ghost"
                size="sm"
                px="0"
                minW="9"
                mt="1"
                aria-label={`Remove ${nameOf(at)}`}
                title={`Remove ${nameOf(at)}`}
                onClick={() => takeAway(at)}
              >
                <Trash2 width={16} height={16} aria-hidden />
              </Button>
            </chakra.li>
          ))}
        </Stack>
      )}
      <Button
        ref={addButton}
        variant="outline"
        size="sm"
        alignSelf="flex-start"
        aria-label={day ? `Add break on ${day}` : "Add break"}
        aria-disabled={isFull}
        title={isFull ? `At most ${maxBreaks} breaks a day` : undefined}
        onClick={() => isFull || add()}
      >
        <Plus aria-hidden />
        Add break
      </Button>
      <Announcement text={said} />
    </Stack>
  );
};
