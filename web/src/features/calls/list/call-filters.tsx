import { Button } from "@chakra-ui/react/button";
import { chakra } from "@chakra-ui/react/styled-system";
import { Text } from "@chakra-ui/react/text";
import Search from "lucide-react/dist/esm/icons/search.mjs";
import SlidersHorizontal from "lucide-react/dist/esm/icons/sliders-horizontal.mjs";
import X from "lucide-react/dist/esm/icons/x.mjs";
import { type Ref, useEffect, useId, useRef, useState } from "react";
import { useSearchParams } from "react-router-dom";
import { SimpleGrid } from "@chakra-ui/react/simple-grid";
import { CallStatus, FilteredOutcome, RoutingReason, tenantVoiceAgents } from "@vitaline/contract";
import type { UseFormReturn } from "react-hook-form";
import { CallSearch, type CountedBy, emptySearch, periodOptions, type CallFilter, writeCallFilter } from "./call-filter.ts";
import { useRequestForm } from "../../../lib/forms/use-request-form.ts";
import { ChoiceField, TextField } from "../../../components/form/fields.tsx";
import { callStatus } from "../call-status.tsx";
import { reasonNames } from "../analytics/routing-reasons.ts";
import { toolTitle } from "../../../lib/format/labels.ts";
import { resultNames } from "./call-facts.ts";
import { outcomeNames } from "../call-format.ts";
import { usePageRange, useToday, withAllTime } from "../page-range.ts";
import { useApi } from "../../../lib/api/use-api.ts";
import { useMay } from "../../../lib/session/may.ts";
import { OfficePicker } from "../office-picker.tsx";
import { FindCalls } from "./find-calls.tsx";
import { SavedViews } from "./saved-views.tsx";
import type { CallSearch as CallFinding } from "./use-call-search.ts";

type FiltersProps = {
  shown: CallFilter;
  onSearch: (asked: CallFinding) => Promise<void>;
  /** A search's results are shown instead, until a filter is chosen. */
  isSearched: boolean;
  onFilter: () => void;
  picksOffice: boolean;
  ref: Ref<HTMLFieldSetElement>;
};

export const CallFilters = ({ shown, onSearch, isSearched, onFilter, picksOffice, ref }: FiltersProps) => {
  const [, setSearch] = useSearchParams();
  const [formId, findId] = [useId(), useId()];
  const [isFinding, setIsFinding] = useState(false);
  const [isOpen, setIsOpen] = useState(() =>
    [shown.to, shown.status, shown.outcome, shown.intent, shown.agent, shown.q].some((value) => value !== ""),
  );
  const change = (to: Partial<CallFilter>) => {
    onFilter();
    setSearch((now) => writeCallFilter(now, to));
  };
  const { days } = usePageRange();
  const today = useToday();
  type Period = { from: string; to: string };
  const isPeriod = ({ from, to }: Period): boolean =>
    days === undefined ? from === "" : days.from === from && days.to === (to === "" ? today : to);
  const choosePeriod = ({ from, to }: Period) => {
    if (from !== "") return change({ from, to });
    onFilter();
    setSearch((now) => withAllTime(writeCallFilter(now, { from: "", to: "" })));
  };
  const isFailed = shown.status === "failed";
  const counted = isSearched ? [] : describeCounted(shown);
  return (
    <div>
      <chakra.fieldset ref={ref} display="flex" gap="2" flexWrap="wrap" aria-label="Which calls">
        {[
          ...periodOptions(today).map(({ label, ...period }) => ({
            label,
            isChosen: isPeriod(period),
            onChoose: () => choosePeriod(period),
          })),
          { label: "Needs follow-up", isChosen: shown.needsFollowUp, onChoose: () => change({ needsFollowUp: !shown.needsFollowUp }) },
          { label: "Failed calls", isChosen: isFailed, onChoose: () => change({ status: isFailed ? "" : "failed" }) },
          { label: "Failed tools", isChosen: shown.toolFailed, onChoose: () => change({ toolFailed: !shown.toolFailed }) },
          { label: "Without test calls", isChosen: shown.withoutTests, onChoose: () => change({ withoutTests: !shown.withoutTests }) },
        ].map(({ label, isChosen, onChoose }) => (
          <Choice key={label} label={label} isChosen={isChosen && !isSearched} onChoose={onChoose} />
        ))}
        {counted.map(({ name, text }) => (
          <RemovableFilter key={name} text={text} onRemove={() => change({ [name]: "" })} />
        ))}
        {picksOffice ? <OfficePicker officeId={shown.office} onPick={(office) => change({ office })} /> : null}
        <Button size="sm" variant="ghost" aria-expanded={isOpen} aria-controls={formId} onClick={() => setIsOpen(!isOpen)}>
          <SlidersHorizontal aria-hidden />
          {isOpen ? "Fewer filters" : "More filters"}
        </Button>
        <Button size="sm" variant="ghost" aria-expanded={isFinding} aria-controls={findId} onClick={() => setIsFinding(!isFinding)}>
          <Search aria-hidden />
          Find a call
        </Button>
        <SavedViews shown={shown} today={today} />
      </chakra.fieldset>
      {counted.length === 0 ? null : (
        <Text mt="3" textStyle="sm" color="fg.muted">
          The count in Analytics can be higher, because a call in which this happened several times is listed once.
        </Text>
      )}
      <div id={formId}>{isOpen ? <CallSearchForm shown={shown} onSearch={change} onClear={() => change(emptySearch)} /> : null}</div>
      <div id={findId}>{isFinding ? <FindCalls office={shown.office} onSearch={onSearch} /> : null}</div>
    </div>
  );
};

const Choice = ({ isChosen, label, onChoose }: { isChosen: boolean; label: string; onChoose: () => void }) => (
  <Button size="sm" variant={isChosen ? "solid" : "outline"} aria-pressed={isChosen} onClick={onChoose}>
    {label}
  </Button>
);

/** The filters that a figure has set, in words. */
const describeCounted = ({ loggedReason, result, tool, failedTool }: CountedBy): { name: keyof CountedBy; text: string }[] => [
  ...(loggedReason === "" ? [] : [{ name: "loggedReason" as const, text: `Logged reason: ${reasonNames[loggedReason]}` }]),
  ...(result === "" ? [] : [{ name: "result" as const, text: resultNames[result] }]),
  ...(tool === "" ? [] : [{ name: "tool" as const, text: `Tool used: ${toolTitle(tool)}` }]),
  ...(failedTool === "" ? [] : [{ name: "failedTool" as const, text: `Failed tool: ${toolTitle(failedTool)}` }]),
];

const RemovableFilter = ({ text, onRemove }: { text: string; onRemove: () => void }) => (
  <Button
    size="sm"
    aria-label={`${text}: remove this filter`}
    onClick={({ currentTarget }) => {
      // The pressed button disappears.
      currentTarget.closest("fieldset")?.querySelector("button")?.focus();
      onRemove();
    }}
  >
    {text}
    <X aria-hidden />
  </Button>
);

const withAny = (any: string, options: { value: string; label: string }[]) => [{ value: "", label: any }, ...options];
const statuses = withAny(
  "Any status",
  CallStatus.options.map((value) => ({ value, label: callStatus(value).name })),
);
const outcomes = withAny(
  "Any outcome",
  FilteredOutcome.options.map((value) => ({ value, label: outcomeNames[value] })),
);

const intents = withAny(
  "Any reason",
  RoutingReason.options.map((value) => ({ value, label: reasonNames[value] })),
);

/** Agents that answer now, and one that the address names. */
const useAgents = (chosen: string) => {
  const { data = [] } = useApi(tenantVoiceAgents.listOwnVoiceAgents, {}, { when: useMay("GET /api/tenant/voice-agents") });
  const names = new Map(data.map(({ externalAgentId, agentName }) => [externalAgentId, agentName]));
  if (chosen !== "" && !names.has(chosen)) names.set(chosen, chosen);
  return withAny(
    "Any agent",
    [...names].map(([value, label]) => ({ value, label })),
  );
};

type Props = { shown: CallSearch; onSearch: (search: CallSearch) => void; onClear: () => void };

const CallSearchForm = ({ shown: { from, to, status, outcome, intent, agent, q }, onSearch, onClear }: Props) => {
  const { field, submit, form } = useRequestForm<CallSearch>({
    schema: CallSearch,
    defaultValues: { from, to, status, outcome, intent, agent, q },
    send: async (search) => onSearch(search),
  });
  useSyncedFilters({ from, to, status, outcome, intent, agent, q }, form);
  const agents = useAgents(agent);
  const clear = () => {
    form.reset(emptySearch);
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
            hint="Do not enter patient names or numbers: the text becomes part of this page's address."
            {...fieldOf("q")}
          />
          <ChoiceField label="Status" options={statuses} {...fieldOf("status")} />
          <ChoiceField label="Outcome" options={outcomes} {...fieldOf("outcome")} />
          <ChoiceField label="Reason" options={intents} {...fieldOf("intent")} />
          <ChoiceField label="Agent" options={agents} {...fieldOf("agent")} />
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

const names = ["from", "to", "status", "outcome", "intent", "agent", "q"] as const satisfies readonly (keyof CallSearch)[];

/** Takes over filters that changed in the URL, as by a period button or Back, and keeps other unapplied input. */
const useSyncedFilters = (shown: CallSearch, { setValue, clearErrors }: UseFormReturn<CallSearch>): void => {
  const known = useRef(shown);
  useEffect(() => {
    const changed = names.filter((name) => shown[name] !== known.current[name]);
    known.current = shown;
    for (const name of changed) setValue(name, shown[name]);
    if (changed.length > 0) clearErrors();
  });
};
