/** The addresses that voice platforms and dashboards use, by the contract's names for them. */
export const endpoints = [
  { route: "POST /api/vapi/tool-call", text: "Runs the tools that a Vapi assistant asks for" },
  { route: "POST /api/vapi/call-summary", text: "Takes what there is to know about a call once it has ended" },
  { route: "POST /api/vapi/server", text: "Hears every event of a call, from ringing to report" },
  { route: "GET /api/dashboard/metrics", text: "Counts tenants, users and calls for those who run the platform" },
] as const;
