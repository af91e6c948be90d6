/**
 * A tool's name as a platform sends it. What cannot be a function's name on any of them is called "unknown", which no tool is.
 * Source: OpenAI's and Retell's rule for function names, the strictest.
 */
export const wireName = (name = ""): string => (/^[\w-]{1,64}$/.test(name) ? name : "unknown");
