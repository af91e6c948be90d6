import { Button } from "@chakra-ui/react/button";
import { Stack } from "@chakra-ui/react/stack";
import { chakra } from "@chakra-ui/react/styled-system";
import Plus from "lucide-react/dist/esm/icons/plus.mjs";
import Trash2 from "lucide-react/dist/esm/icons/trash-2.mjs";
import { type ReactNode, useRef, useState } from "react";
import { type Control, useFieldArray } from "react-hook-form";
import { Announcement } from "../../feedback/alerts.tsx";

type Props = {
  control: Control;
  /** The form's path of the list. */
  place: string;
  legend: string;
  /** "holiday": what one row is. */
  thing: string;
  /** Shown while the list is empty. */
  whenEmpty: string;
  most: number;
  blank: object;
  error: string | undefined;
  children: (at: number) => ReactNode;
};

/** A list of facts whose rows are added and removed. */
export const FactRows = ({ control, place, legend, thing, whenEmpty, most, blank, error, children }: Props) => {
  const { fields, append, remove } = useFieldArray({ control, name: place });
  const [said, setSaid] = useState("");
  const addButton = useRef<HTMLButtonElement>(null);
  const takeAway = (at: number) => {
    remove(at);
    setSaid(`Removed ${thing} ${at + 1}`);
    addButton.current?.focus();
  };
  return (
    <chakra.fieldset minW="0">
      <chakra.legend textStyle="sm" fontWeight="semibold" mb="2">
        {legend}
      </chakra.legend>
      <Stack gap="3">
        {fields.length === 0 ? (
          <chakra.p textStyle="sm" color="fg.muted">
            {whenEmpty}
          </chakra.p>
        ) : (
          <Stack as="ul" listStyleType="none" gap="3">
            {fields.map(({ id }, at) => (
              <chakra.li key={id} aria-label={`${thing} ${at + 1}`} display="flex" gap="2" alignItems="flex-start">
                <chakra.div flex="1" minW="0">
                  {children(at)}
                </chakra.div>
                <Button
                  variant="ghost"
                  size="sm"
                  px="0"
                  minW="9"
                  mt="7"
                  aria-label={`Remove ${thing} ${at + 1}`}
                  title={`Remove ${thing} ${at + 1}`}
                  onClick={() => takeAway(at)}
                >
                  <Trash2 width={16} height={16} aria-hidden />
                </Button>
              </chakra.li>
            ))}
          </Stack>
        )}
        {error === undefined ? null : (
          <chakra.p aria-live="polite" color="fg.error" textStyle="sm" fontWeight="medium">
            {error}
          </chakra.p>
        )}
        <Button
          ref={addButton}
          variant="outline"
          size="sm"
          alignSelf="flex-start"
          aria-disabled={fields.length >= most}
          onClick={() => fields.length < most && append(blank)}
        >
          <Plus aria-hidden />
          {`Add ${thing}`}
        </Button>
        <Announcement text={said} />
      </Stack>
    </chakra.fieldset>
  );
};
