import { Button } from "@chakra-ui/react/button";
import { Flex } from "@chakra-ui/react/flex";
import { SimpleGrid } from "@chakra-ui/react/simple-grid";
import { chakra } from "@chakra-ui/react/styled-system";
import Search from "lucide-react/dist/esm/icons/search.mjs";
import { type RefObject, useRef, useState } from "react";
import { AuditRange } from "@vitaline/contract";
import { ChoiceField, TextField } from "../../../components/form/fields.tsx";
import { areSameFilters, type AuditFilters, dayErrors, isTooLong, defaultFilters } from "./audit-filters.ts";
import { rangeNames } from "../../../lib/format/labels.ts";
import { useZone } from "../../../lib/format/times.ts";
import { dayIn } from "../../../lib/format/zone-day.ts";
import { actionTypeNames } from "./audit-format.ts";

type Props = {
  applied: AuditFilters;
  onApply: (filters: AuditFilters) => void;
  searchField: RefObject<HTMLInputElement | null>;
  /** The first day that can be listed, where that is not the log's. */
  firstDay?: string | undefined;
};

export const FilterForm = ({ applied, onApply, searchField, firstDay }: Props) => {
  const { filters, stage } = useStagedFilters(applied);
  const zone = useZone();
  const [opened] = useState(() => new Date());
  const today = dayIn(zone, opened);
  const wrong = dayErrors(filters, today, firstDay, "The list of all organizations has the last 90 days. Choose an organization.");
  const startField = useRef<HTMLInputElement>(null);
  const endField = useRef<HTMLInputElement>(null);
  const clear = () => {
    stage(defaultFilters);
    onApply(defaultFilters);
    searchField.current?.focus();
  };
  return (
    <search aria-label="Audit logs">
      <chakra.form
        onSubmit={(event) => {
          event.preventDefault();
          if (isTooLong(filters)) searchField.current?.focus();
          else if (wrong.start !== undefined) startField.current?.focus();
          else if (wrong.end !== undefined) endField.current?.focus();
          else onApply(filters);
        }}
      >
        <chakra.div
          display="grid"
          gap="4"
          alignItems="start"
          gridTemplateColumns={{ base: "1fr", md: "1fr 1fr", lg: "minmax(0, 2fr) minmax(0, 1fr) minmax(0, 1fr) auto" }}
        >
          <TextField
            ref={searchField}
            label="Search"
            type="search"
            aria-required={false}
            error={isTooLong(filters) ? "Must be at most 100 characters." : undefined}
            hint="An ID, a code or an IP address. Do not enter patient names or numbers: the text becomes part of this page's address."
            autoComplete="off"
            placeholder="Signed in, an ID, a code"
            value={filters.search}
            onChange={({ target }) => stage({ search: target.value })}
          />
          <FilterChoices filters={filters} onChoose={stage} />
          <Button type="submit" size="lg" h="11" mt={{ md: "1.625rem" }}>
            <Search aria-hidden />
            Apply Filters
          </Button>
        </chakra.div>
        <SimpleGrid columns={{ base: 1, sm: 2 }} gap="4" mt="4" maxW={{ lg: "lg" }} alignItems="start">
          {(["start", "end"] as const).map((name) => (
            <TextField
              key={name}
              ref={name === "start" ? startField : endField}
              type="date"
              label={name === "start" ? "First day" : "Last day"}
              isOptional
              error={wrong[name]}
              hint={name === "start" ? "Custom days instead of the time range. The log is kept for seven years." : undefined}
              min={firstDay}
              max={today}
              value={filters[name]}
              onChange={({ target }) => stage({ [name]: target.value })}
            />
          ))}
        </SimpleGrid>
        <Flex align="center" wrap="wrap" columnGap="4" rowGap="2" my="2" minH="9">
          <chakra.output textStyle="sm" color="fg.muted">
            {areSameFilters(filters, applied) ? "" : "Filters changed, not applied yet."}
          </chakra.output>
          {areSameFilters(applied, defaultFilters) ? null : (
            <Button type="button" size="sm" variant="ghost" onClick={clear}>
              Clear Filters
            </Button>
          )}
        </Flex>
      </chakra.form>
    </search>
  );
};

/** Filters that are chosen but not yet applied. Resets when the applied filters change, as after Back. */
const useStagedFilters = (applied: AuditFilters) => {
  const [staged, setStaged] = useState({ of: applied, filters: applied });
  const isOfAddress = areSameFilters(staged.of, applied);
  if (!isOfAddress) setStaged({ of: applied, filters: applied });
  const { filters } = isOfAddress ? staged : { filters: applied };
  const stage = (change: Partial<AuditFilters>): void => setStaged({ of: applied, filters: { ...filters, ...change } });
  return { filters, stage };
};

type FilterChoicesProps = { filters: AuditFilters; onChoose: (change: Partial<AuditFilters>) => void };

const FilterChoices = ({ filters, onChoose }: FilterChoicesProps) => (
  <>
    <ChoiceField
      label="Action type"
      error={undefined}
      options={choices(actionTypeNames)}
      value={filters.actionType}
      onChange={({ target }) => onChoose({ actionType: target.value as AuditFilters["actionType"] })}
    />
    <ChoiceField
      label="Time range"
      error={undefined}
      options={AuditRange.options.map((value) => ({ value, label: rangeNames[value] }))}
      value={filters.timeRange}
      onChange={({ target }) => onChoose({ timeRange: target.value as AuditFilters["timeRange"] })}
    />
  </>
);

const choices = <Value extends string>(names: Record<Value, string>) =>
  (Object.keys(names) as Value[]).map((value) => ({ value, label: names[value] }));
