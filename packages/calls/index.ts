export { usedTools, type CallOfToolRuns } from "./announce.ts";
export { believedAnalysis, believedCost, believedInstant, believedSeconds, longestCallSeconds } from "./belief.ts";
export { callChart } from "./charts.ts";
export {
  countsForBill,
  countsOfCall,
  countsOfRouting,
  countsOfToolRun,
  dayRow,
  monthRow,
  rowsOf,
  totalRow,
  type CountedCall,
  type Counts,
} from "./counts.ts";
export { exportCalls } from "./csv.ts";
export { readCall } from "./detail.ts";
export { dueErasure, eraseCallRow, hasContent } from "./erased.ts";
export { endsOf } from "./ends.ts";
export { CallEvent } from "./event.ts";
export { followUpCall } from "./follow-up.ts";
export { presumedOver } from "./forgotten.ts";
export { callsInProgress } from "./in-progress.ts";
export { forgetKeptEvent, keepEvent, noteFailedTry, readKeptEvent, replayKeptEvent, type Told } from "./kept-events.ts";
export { listCalls } from "./list.ts";
export { callMetrics } from "./metrics.ts";
export { requireOffice } from "./office.ts";
export { outcomeOf, startOf } from "./present.ts";
export { textFiles } from "./texts.ts";
export { recentCalls } from "./recent.ts";
export { recordCallEvent } from "./record.ts";
export { routingCounts } from "./routing.ts";
export { costSavings } from "./savings.ts";
export { filesOf } from "./texts.ts";
export { toolRuns } from "./tool-runs.ts";
export { toolUsage } from "./tool-usage.ts";
export { planUsage } from "./usage.ts";
