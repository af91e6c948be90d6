import { Button } from "@chakra-ui/react/button";
import { Stack } from "@chakra-ui/react/stack";
import { chakra } from "@chakra-ui/react/styled-system";
import Plus from "lucide-react/dist/esm/icons/plus.mjs";
import { useRef, useState } from "react";
import { useFieldArray } from "react-hook-form";
import { Announcement } from "../../components/feedback/notices.tsx";
import { DestinationFields } from "./destination-fields.tsx";
import { newDestination } from "./destination-values.ts";
import type { OfficeFormState } from "./use-office-form.ts";
import type { Organization } from "./use-organization.ts";

const mostDestinations = 20;

/** Whom calls are put through to, in the order in which they are tried. */
export const RoutingFields = ({ office, organization }: { office: OfficeFormState; organization: Organization }) => {
  const { fields, append, remove, move } = useFieldArray({ control: office.form.control, name: "staffRouting" });
  const [said, setSaid] = useState("");
  const addButton = useRef<HTMLButtonElement>(null);

  const moveTo = (from: number, to: number) => {
    move(from, to);
    setSaid(`Moved to place ${to + 1} of ${fields.length}`);
  };
  const takeAway = (at: number) => {
    remove(at);
    setSaid(`Removed place ${at + 1}`);
    addButton.current?.focus();
  };
  return (
    <Stack gap="5">
      <chakra.p textStyle="sm" color="fg.muted">
        A caller who wants a person is put through to the first of these who takes the reason of the call and is on duty.
      </chakra.p>
      {fields.length === 0 ? (
        <chakra.p textStyle="sm">Nobody yet: callers are told that they cannot be put through, and a message is taken.</chakra.p>
      ) : (
        <Stack as="ol" listStyleType="none" gap="4">
          {fields.map(({ id }, at) => (
            <DestinationFields
              key={id}
              office={office}
              at={at}
              count={fields.length}
              onMove={(to) => moveTo(at, to)}
              onRemove={() => takeAway(at)}
            />
          ))}
        </Stack>
      )}
      <Button
        ref={addButton}
        variant="outline"
        alignSelf="flex-start"
        aria-disabled={fields.length >= mostDestinations}
        onClick={() =>
          fields.length < mostDestinations && append(newDestination(office.form.getValues("businessHours"), organization.businessHours))
        }
      >
        <Plus aria-hidden />
        Add destination
      </Button>
      <Announcement text={said} />
    </Stack>
  );
};
