import type { Snippet } from "@vitaline/contract";
import { bearerOf, curlPost, jsonSnippet, mcpAddress, type SnippetContext } from "./snippet.ts";

export const mcpServers = (place: SnippetContext) => ({
  mcpServers: { clinic: { type: "http" as const, url: mcpAddress(place), headers: { Authorization: bearerOf(place) } } },
});

export const mcpSnippets = (place: SnippetContext): Snippet[] => [
  jsonSnippet(
    {
      id: "mcp-client",
      platform: "mcp",
      title: "Any MCP client",
      about: "The client's list of servers, for instance the file .mcp.json. The server is stateless and speaks Streamable HTTP.",
    },
    mcpServers(place),
  ),
  {
    id: "mcp-curl",
    platform: "mcp",
    title: "One tool by hand",
    about: "Run it in a terminal to see that address and key are right.",
    language: "sh",
    text: toolCommand(place),
  },
];

/** Calls the one tool that needs no verified identity and changes nothing. */
const toolCommand = (place: SnippetContext): string =>
  curlPost(
    mcpAddress(place),
    { Authorization: bearerOf(place), "Content-Type": "application/json", Accept: "application/json, text/event-stream" },
    { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "getFhirProviders", arguments: {} } },
  );
