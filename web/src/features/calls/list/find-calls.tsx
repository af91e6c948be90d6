import { Button } from "@chakra-ui/react/button";
import { SimpleGrid } from "@chakra-ui/react/simple-grid";
import { Stack } from "@chakra-ui/react/stack";
import { chakra } from "@chakra-ui/react/styled-system";
import { callWork, SearchedNumber, SearchedWords } from "@vitaline/contract";
import { useEffect, useState, type ReactNode } from "react";
import * as z from "zod/mini";
import { Failure } from "../../../components/feedback/alerts.tsx";
import { TextField } from "../../../components/form/fields.tsx";
import { call } from "../../../lib/api/call.ts";
import { formatCount } from "../../../lib/format/numbers.ts";
import { useZone } from "../../../lib/format/times.ts";
import { dayIn, daysAfter, endOfDay, startOfDay } from "../../../lib/format/zone-day.ts";
import { useRequestForm } from "../../../lib/forms/use-request-form.ts";
import type { CallSearch } from "./use-call-search.ts";

type Props = { office: string; onSearch: (asked: CallSearch) => Promise<void> };

/** Searches for what must not stand in an address. */
export const FindCalls = ({ office, onSearch }: Props) => (
  <search aria-label="Find a call">
    <SimpleGrid columns={{ base: 1, lg: 2 }} gap="6" mt="4" p="4" bg="bg.subtle" borderRadius="l2">
      <NumberForm onSearch={onSearch} />
      <SummaryForm office={office} onSearch={onSearch} />
    </SimpleGrid>
  </search>
);

const NumberTyped = z.object({ number: SearchedNumber });

const NumberForm = ({ onSearch }: Pick<Props, "onSearch">) => {
  const { field, submit, isBusy, failure } = useRequestForm<z.infer<typeof NumberTyped>>({
    schema: NumberTyped,
    defaultValues: { number: "" },
    send: ({ number }) => onSearch({ by: "number", number }),
  });
  return (
    <SearchForm onSubmit={submit} failure={failure} isBusy={isBusy} action="Search by number">
      <TextField
        label="Phone number"
        type="tel"
        inputMode="tel"
        autoComplete="off"
        maxLength={40}
        hint="All stored calls from this number, at every office."
        {...field("number")}
      />
    </SearchForm>
  );
};

const Day = z.iso.date("Choose a day");
const SummaryTyped = z
  .object({ text: SearchedWords, from: Day, to: Day })
  .check(z.refine(({ from, to }) => from <= to, { path: ["to"], error: "Must not be before the first day" }));

const startDays = 7;

const SummaryForm = ({ office, onSearch }: Props) => {
  const zone = useZone();
  const [today] = useState(() => dayIn(zone, new Date()));
  const { field, submit, isBusy, failure, form } = useRequestForm<z.infer<typeof SummaryTyped>>({
    schema: SummaryTyped,
    defaultValues: { text: "", from: daysAfter(today, 1 - startDays), to: today },
    send: ({ text, from, to }) =>
      onSearch({
        ...{ by: "summary", text, from: startOfDay(from, zone), to: endOfDay(to, zone) },
        ...(office === "" ? {} : { officeId: office }),
      }),
  });
  const [from, to] = form.watch(["from", "to"]);
  const cost = useCost(from, to);
  return (
    <SearchForm onSubmit={submit} failure={failure} isBusy={isBusy} action="Search summaries">
      <TextField
        label="Words in the summary"
        type="search"
        autoComplete="off"
        maxLength={100}
        hint="Finds calls whose summary has all of these words."
        {...field("text")}
      />
      <SimpleGrid columns={{ base: 1, sm: 2 }} gap="4">
        <TextField label="From" type="date" {...field("from")} />
        <TextField label="To" type="date" {...field("to")} />
      </SimpleGrid>
      <chakra.output textStyle="sm" color="fg.muted" minH="5">
        {cost === undefined
          ? ""
          : `Reads about ${formatCount(cost)} ${cost === 1 ? "call" : "calls"}. The search and each call found are recorded in the audit log.`}
      </chakra.output>
    </SearchForm>
  );
};

type SearchFormProps = {
  onSubmit: () => Promise<void>;
  failure: string | undefined;
  isBusy: boolean;
  action: string;
  children: ReactNode;
};

const SearchForm = ({ onSubmit, failure, isBusy, action, children }: SearchFormProps) => (
  <chakra.form
    noValidate
    minW="0"
    onSubmit={(event) => {
      event.preventDefault();
      void onSubmit();
    }}
  >
    <Stack gap="4">
      <Failure text={failure} />
      {children}
      <div>
        <Button type="submit" aria-disabled={isBusy}>
          {isBusy ? "Searching..." : action}
        </Button>
      </div>
    </Stack>
  </chakra.form>
);

/** About how many calls a search of these days reads; undefined until known. */
const useCost = (from: string, to: string): number | undefined => {
  const zone = useZone();
  const days = `${from} ${to}`;
  const [known, setKnown] = useState<{ days: string; total: number }>();
  useEffect(() => {
    if (!Day.safeParse(from).success || !Day.safeParse(to).success || from > to) return;
    let isCurrent = true;
    const period = { from: startOfDay(from, zone), to: endOfDay(to, zone) };
    call(callWork.searchCalls, { body: { by: "summary", text: "calls", ...period, onlyCount: true } }).then(
      ({ total }) => isCurrent && setKnown({ days, total: total ?? 0 }),
      // The search itself tells what is wrong.
      () => undefined,
    );
    return () => void (isCurrent = false);
  }, [from, to, zone, days]);
  return known?.days === days ? known.total : undefined;
};
