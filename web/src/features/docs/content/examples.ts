import type { Snippet } from "@vitaline/contract";

/** One tool call as a voice platform makes it. `npm run record:examples` records them on a platform of its own. */
export type ApiExample = { platform: Snippet["platform"]; request: string; answer: string };
