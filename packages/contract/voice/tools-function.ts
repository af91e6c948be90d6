import { snippets } from "./snippets.ts";
import { testCalls } from "./test-calls.ts";
import { tools } from "./tools.ts";

/** In a file of its own, so that the function loads no other routes. */
export const toolsFunction = { ...tools, ...testCalls, ...snippets };
