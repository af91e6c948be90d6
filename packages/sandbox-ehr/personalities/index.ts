import { cernerLike } from "./cerner-like.ts";
import { epicLike } from "./epic-like.ts";
import { hapiLike } from "./hapi-like.ts";
import type { Personality } from "./personality.ts";
import { plain } from "./plain.ts";
import { readonly } from "./readonly.ts";

/** Every kind of EHR that the sandbox can be; each keeps what it needs to remember to itself. */
export const createPersonalities = (): Personality[] => [plain, readonly, epicLike, cernerLike(), hapiLike()];
