/** Where OpenAI's API begins. A base URL without a path is of OpenAI's own kind, whose API begins at /v1; others say where theirs does. */
export const apiRoot = (baseUrl = "https://api.openai.com"): string => (new URL(baseUrl).pathname === "/" ? `${baseUrl}/v1` : baseUrl);
