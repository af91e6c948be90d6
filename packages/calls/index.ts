export { CallEvent } from "./events/call-event.ts";
export { expireStaleCall, hasReport, isOnlyNames, recordToolNames, recordToolUse, retentionEnds, type ToolUse } from "./events/call-row.ts";
export { dueErasure, eraseCallRow, hasContent } from "./events/erase-row.ts";
export { resultsOf } from "./events/call-results.ts";
export { numberHashes } from "./events/other-party.ts";
export { recordCallEvent } from "./events/record.ts";
export { sanitizeAnalysis, sanitizeCost, sanitizeInstant, sanitizeScore, sanitizeSeconds, maxCallSeconds } from "./events/sanitize.ts";
export { contentFiles, contentFileNames } from "./events/sealed-content.ts";
export { callChart, callMetrics, routingCounts, toolUsage } from "./metrics/call-metrics.ts";
export { costSavings, planUsage } from "./metrics/costs.ts";
export {
  countsForBill,
  countsOfCall,
  countsOfRouting,
  countsOfToolRun,
  daySortKey,
  monthOf,
  monthSortKey,
  statsSortKeysFor,
  totalSortKey,
  type CountedCall,
  type Counts,
} from "./metrics/counts.ts";
export { outcomeSignalsOf, isCutShort, isFailedRun } from "./events/outcome.ts";
export { endTestCall, startTestCall } from "./events/test-call.ts";
export { isOver, needsFollowUp, outcomeOf, startOf, wasAbandoned, type JudgedCall } from "./log/call-view.ts";
export { readCall } from "./log/detail.ts";
export { exportCalls } from "./log/export.ts";
export { followingUp, followUpCall, followUpCalls } from "./log/follow-up.ts";
export { callsInProgress, lastCallAt, listCalls, recentCalls } from "./log/list.ts";
export { readCallViews, saveCallViews } from "./log/saved-views.ts";
export { searchCalls } from "./log/search.ts";
export { toolNamesOfCall, toToolRun } from "./log/tool-runs.ts";
export { deleteKeptEvent, keepEvent, recordFailedRetry, readKeptEvent, replayKeptEvent, type ReceivedEvent } from "./kept-event.ts";
export { requireOffice } from "./office.ts";
