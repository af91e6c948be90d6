import { Button } from "@chakra-ui/react/button";
import { SimpleGrid } from "@chakra-ui/react/simple-grid";
import { chakra } from "@chakra-ui/react/styled-system";
import ArrowDown from "lucide-react/dist/esm/icons/arrow-down.mjs";
import ArrowUp from "lucide-react/dist/esm/icons/arrow-up.mjs";
import Trash2 from "lucide-react/dist/esm/icons/trash-2.mjs";
import type { ComponentType, SVGProps } from "react";
import { get, useWatch } from "react-hook-form";
import { TextField } from "../../components/form/fields.tsx";
import { HoursFields } from "./hours-fields.tsx";
import { useKeptFocus } from "./use-kept-focus.ts";
import type { OfficeFormState } from "./use-office-form.ts";

type Props = { office: OfficeFormState; at: number; count: number; onMove: (to: number) => void; onRemove: () => void };

type ActProps = { label: string; icon: ComponentType<SVGProps<SVGSVGElement>>; isOff?: boolean; onAct: () => void };

const Act = ({ label, icon: Icon, isOff = false, onAct }: ActProps) => (
  <Button variant="ghost" size="sm" px="0" minW="9" aria-label={label} title={label} aria-disabled={isOff} onClick={() => isOff || onAct()}>
    <Icon width={16} height={16} aria-hidden />
  </Button>
);

/** The first sentence about any of a field's parts, as the reasons are many in one line. */
const errorWithin = (errors: object, place: string): string | undefined => {
  const told: unknown = get(errors, place);
  const all = Array.isArray(told) ? told : [told];
  return all.map((one: { message?: string } | undefined) => one?.message).find((message) => message !== undefined);
};

/** One whom calls are put through to. */
export const DestinationFields = ({ office, at, count, onMove, onRemove }: Props) => {
  const { field, form } = office;
  const place = `staffRouting.${at}` as const;
  const label = useWatch({ control: form.control, name: `${place}.label` }) || `destination ${at + 1}`;
  const { row, press } = useKeptFocus(at);
  const step = (act: "up" | "down", to: number) => {
    press(act);
    onMove(to);
  };
  return (
    <chakra.li ref={row} aria-label={label} borderWidth="1px" borderColor="border" borderRadius="l2" p={{ base: "3", sm: "4" }}>
      <chakra.div display="flex" alignItems="center" gap="1" mb="3">
        <chakra.span textStyle="sm" fontWeight="semibold" color="fg.muted" flex="1">
          {at + 1}
        </chakra.span>
        <span data-act="up">
          <Act label={`Move ${label} up`} icon={ArrowUp} isOff={at === 0} onAct={() => step("up", at - 1)} />
        </span>
        <span data-act="down">
          <Act label={`Move ${label} down`} icon={ArrowDown} isOff={at === count - 1} onAct={() => step("down", at + 1)} />
        </span>
        <Act label={`Remove ${label}`} icon={Trash2} onAct={onRemove} />
      </chakra.div>
      <SimpleGrid columns={{ base: 1, sm: 2 }} gap="4">
        <TextField label="Label" placeholder="e.g. Front desk" autoComplete="off" {...field(`${place}.label`)} />
        <TextField label="Phone" type="tel" autoComplete="off" {...field(`${place}.phone`)} />
      </SimpleGrid>
      <chakra.div mt="4" display="flex" flexDirection="column" gap="4">
        <TextField
          label="Reasons"
          isOptional
          hint="Separated by commas, as in “billing, prescription”. Blank takes a call for any reason."
          autoComplete="off"
          {...field(`${place}.reasons`)}
          error={errorWithin(form.formState.errors, `${place}.reasons`)}
        />
        <HoursFields
          office={office}
          place={`${place}.hours`}
          label="On duty"
          inheritedLabel="During the office's business hours"
          inherited={[]}
        />
      </chakra.div>
    </chakra.li>
  );
};
