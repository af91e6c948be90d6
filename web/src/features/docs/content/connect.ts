import type { Snippet } from "@vitaline/contract";

export type Platform = {
  /** The last part of its page's address. */
  slug: string;
  platform: Snippet["platform"];
  name: string;
  title: string;
  lead: string;
  tools: string;
  calls: string;
};

export const platforms = [
  {
    slug: "vapi",
    platform: "vapi",
    name: "Vapi",
    title: "Connect Vapi",
    lead: "Tools over MCP or one by one, and call records and transfers by server messages.",
    tools: "One MCP tool, or a function tool for each of ours, with your API key as a bearer token.",
    calls:
      "Vapi's server messages: which assistant answers, whom to transfer the caller to, and the report at the end. With your key, or signed with a secret of the voice provider.",
  },
  {
    slug: "retell-ai",
    platform: "retellai",
    name: "Retell AI",
    title: "Connect Retell AI",
    lead: "Custom functions with your key, and webhooks that Retell AI signs.",
    tools: "Custom functions, which say what call they belong to. MCP works too.",
    calls: "Webhooks and the inbound webhook to the address of your voice provider, signed with Retell AI's own API key.",
  },
  {
    slug: "elevenlabs",
    platform: "elevenlabs",
    name: "ElevenLabs",
    title: "Connect ElevenLabs",
    lead: "Webhook tools or MCP, and signed records after each conversation.",
    tools: "Webhook tools, which workspaces under HIPAA need, or MCP. A header names the conversation.",
    calls: "A signed webhook after each call, and the data of incoming calls on request. Missed webhooks are recovered every 15 minutes.",
  },
  {
    slug: "openai",
    platform: "openai",
    name: "OpenAI Realtime",
    title: "Connect OpenAI Realtime",
    lead: "Tools over MCP in a Realtime session, and phone calls over SIP.",
    tools: "MCP in the session. Each call that we accept has its own token, valid for that call only.",
    calls:
      "OpenAI's webhook for incoming calls. They are accepted, transferred and ended from here. OpenAI reports no end of a call, so your client may report it.",
  },
  {
    slug: "mcp",
    platform: "mcp",
    name: "Any MCP client",
    title: "Connect any MCP client",
    lead: "One address that speaks MCP over Streamable HTTP, for every other platform.",
    tools: "All tools at one address, for the organization or for one of its offices. The server keeps no session.",
    calls: "Pass the call handle of each answer on with the next request, and report the call at its end.",
  },
] as const satisfies readonly Platform[];

export type PlatformSlug = (typeof platforms)[number]["slug"];

export const steps: readonly { title: string; text: string }[] = [
  {
    title: "Connect the record system",
    text: "In your dashboard, “FHIR”: ask for a connection or add your own, register our public keys at your EHR, and run the connection test. It shows which steps worked.",
  },
  {
    title: "Describe your offices",
    text: "“Offices”: hours, breaks, holidays, phone numbers, who is on duty for transfers, and what agents may tell any caller.",
  },
  {
    title: "Copy the configuration",
    text: "“Developers”, “Platform Configuration”: choose the voice platform and copy what it shows. Your addresses, tools and, if you like, your key are in it.",
  },
  {
    title: "Paste it at the voice platform",
    text: "Each part says where it belongs. The pages below show them all.",
  },
  {
    title: "Try it",
    text: "“Developers”, “Test a tool” runs a tool as your agent would and shows what the voice model sees of the answer. Then call your agent: the call appears under “Recent Calls”, with its tools.",
  },
];
