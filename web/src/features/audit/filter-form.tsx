import { Button } from "@chakra-ui/react/button";
import { Flex } from "@chakra-ui/react/flex";
import { chakra } from "@chakra-ui/react/styled-system";
import Search from "lucide-react/dist/esm/icons/search.mjs";
import type { RefObject } from "react";
import { TextField } from "../../components/form/fields.tsx";
import { areSame, type AuditFilters, isTooLong, noFilters } from "./audit-filters.ts";
import { FilterChoices } from "./filter-choices.tsx";
import { useStagedFilters } from "./use-staged-filters.ts";

type Props = { applied: AuditFilters; onApply: (filters: AuditFilters) => void; searchField: RefObject<HTMLInputElement | null> };

/** What is chosen here counts from "Apply Filters" on. */
export const FilterForm = ({ applied, onApply, searchField }: Props) => {
  const { filters, stage } = useStagedFilters(applied);
  const clear = () => {
    stage(noFilters);
    onApply(noFilters);
    searchField.current?.focus();
  };
  return (
    <search aria-label="Audit logs">
      <chakra.form
        onSubmit={(event) => {
          event.preventDefault();
          if (isTooLong(filters)) searchField.current?.focus();
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
            hint="An ID, a code or an IP address. Never a patient's name or number: it becomes part of this page's address."
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
        <Flex align="center" wrap="wrap" columnGap="4" rowGap="2" my="2" minH="9">
          <chakra.output textStyle="sm" color="fg.muted">
            {areSame(filters, applied) ? "" : "Changed, not applied yet."}
          </chakra.output>
          {areSame(applied, noFilters) ? null : (
            <Button type="button" size="sm" variant="ghost" onClick={clear}>
              Clear Filters
            </Button>
          )}
        </Flex>
      </chakra.form>
    </search>
  );
};
