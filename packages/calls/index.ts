export { usedTools, type CallOfToolRuns } from "./announce.ts";
export { believedCost, believedInstant, believedSeconds, longestCallSeconds } from "./belief.ts";
export { countsOfCall, countsOfToolRun, dayRow, totalRow, type CountedCall, type Counts } from "./counts.ts";
export { CallEvent } from "./event.ts";
export { callMetrics } from "./metrics.ts";
export { recentCalls } from "./recent.ts";
export { recordCallEvent } from "./record.ts";
export { toolUsage } from "./tool-usage.ts";
