import { Button } from "@chakra-ui/react/button";
import { chakra } from "@chakra-ui/react/styled-system";
import SlidersHorizontal from "lucide-react/dist/esm/icons/sliders-horizontal.mjs";
import { type Ref, useEffect, useId, useState } from "react";
import { useSearchParams } from "react-router-dom";
import { useZone } from "../../lib/format/times.ts";
import { CallSearchForm } from "./call-search-form.tsx";
import { noSearch, periods, type ShownCalls, withShown } from "./call-filter.ts";
import { dayIn } from "./zone-day.ts";

const Choice = ({ isChosen, label, onChoose }: { isChosen: boolean; label: string; onChoose: () => void }) => (
  <Button size="sm" variant={isChosen ? "solid" : "outline"} aria-pressed={isChosen} onClick={onChoose}>
    {label}
  </Button>
);

const minuteMilliseconds = 60_000;

/** The day in the zone of the page's times; the next one soon after its midnight. */
const useToday = (): string => {
  const zone = useZone();
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), minuteMilliseconds);
    return () => clearInterval(timer);
  }, []);
  return dayIn(zone, now);
};

/** Which calls are shown: the usual questions at one press, and a form for the others. */
export const CallFilters = ({ shown, ref }: { shown: ShownCalls; /** The first button is inside. */ ref: Ref<HTMLFieldSetElement> }) => {
  const [, setSearch] = useSearchParams();
  const formId = useId();
  const [isOpen, setIsOpen] = useState(() => [shown.to, shown.status, shown.outcome, shown.q].some((value) => value !== ""));
  const change = (to: Partial<ShownCalls>) => setSearch((now) => withShown(now, to));
  const today = useToday();
  return (
    <div>
      <chakra.fieldset ref={ref} display="flex" gap="2" flexWrap="wrap" aria-label="Which calls">
        {periods(today).map(({ label, from }) => (
          <Choice key={label} label={label} isChosen={shown.from === from && shown.to === ""} onChoose={() => change({ from, to: "" })} />
        ))}
        <Choice label="Needs follow-up" isChosen={shown.needsFollowUp} onChoose={() => change({ needsFollowUp: !shown.needsFollowUp })} />
        <Button size="sm" variant="ghost" aria-expanded={isOpen} aria-controls={formId} onClick={() => setIsOpen(!isOpen)}>
          <SlidersHorizontal aria-hidden />
          {isOpen ? "Fewer filters" : "More filters"}
        </Button>
      </chakra.fieldset>
      <div id={formId}>{isOpen ? <CallSearchForm shown={shown} onSearch={change} onClear={() => change(noSearch)} /> : null}</div>
    </div>
  );
};
