import { Button } from "@chakra-ui/react/button";
import { SimpleGrid } from "@chakra-ui/react/simple-grid";
import { chakra } from "@chakra-ui/react/styled-system";
import { CallOutcome, CallStatus } from "@vitaline/contract";
import { useEffect, useRef } from "react";
import type { UseFormReturn } from "react-hook-form";
import { useRequestForm } from "../../lib/forms/use-request-form.ts";
import { ChoiceField, TextField } from "../../components/form/fields.tsx";
import { callStatus } from "../tenant-dashboard/call-status.ts";
import { CallSearch, noSearch } from "./call-filter.ts";
import { outcomeNames } from "./call-words.ts";

const anyOr = (any: string, options: { value: string; label: string }[]) => [{ value: "", label: any }, ...options];
const statuses = anyOr(
  "Any status",
  CallStatus.options.map((value) => ({ value, label: callStatus(value).name })),
);
const outcomes = anyOr(
  "Any outcome",
  CallOutcome.options.map((value) => ({ value, label: outcomeNames[value] })),
);

const names = ["from", "to", "status", "outcome", "q"] as const satisfies readonly (keyof CallSearch)[];

/** The address may also change otherwise, as by a period above or by going back. Only what differs there is taken over: what was typed and not yet applied stays. */
const useTakenOver = (shown: CallSearch, { setValue, clearErrors }: UseFormReturn<CallSearch>): void => {
  const known = useRef(shown);
  useEffect(() => {
    const changed = names.filter((name) => shown[name] !== known.current[name]);
    known.current = shown;
    for (const name of changed) setValue(name, shown[name]);
    if (changed.length > 0) clearErrors();
  });
};

type Props = { shown: CallSearch; onSearch: (search: CallSearch) => void; onClear: () => void };

/** Filters that are set together and hold once they are applied. */
export const CallSearchForm = ({ shown: { from, to, status, outcome, q }, onSearch, onClear }: Props) => {
  const { field, submit, form } = useRequestForm<CallSearch>({
    schema: CallSearch,
    defaultValues: { from, to, status, outcome, q },
    send: async (search) => onSearch(search),
  });
  useTakenOver({ from, to, status, outcome, q }, form);
  const clear = () => {
    form.reset(noSearch);
    onClear();
  };
  const fieldOf = (name: keyof CallSearch) => ({ ...field(name), "aria-required": false });
  return (
    <search aria-label="Calls">
      <chakra.form
        noValidate
        mt="4"
        p="4"
        bg="bg.subtle"
        borderRadius="l2"
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <SimpleGrid columns={{ base: 1, sm: 2, lg: 3 }} gap="4">
          <TextField
            label="Search"
            type="search"
            maxLength={100}
            placeholder="Call ID or ended reason"
            hint="Never a patient's name or number: it becomes part of this page's address."
            {...fieldOf("q")}
          />
          <ChoiceField label="Status" options={statuses} {...fieldOf("status")} />
          <ChoiceField label="Outcome" options={outcomes} {...fieldOf("outcome")} />
          <TextField label="First day" type="date" {...fieldOf("from")} />
          <TextField label="Last day" type="date" {...fieldOf("to")} />
          <chakra.div display="flex" gap="2" alignItems="flex-end" flexWrap="wrap">
            <Button type="submit" flex="1">
              Apply Filters
            </Button>
            <Button variant="outline" onClick={clear}>
              Clear
            </Button>
          </chakra.div>
        </SimpleGrid>
      </chakra.form>
    </search>
  );
};
