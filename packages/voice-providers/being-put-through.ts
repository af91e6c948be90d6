/** The line for an agent's prompt that makes it use the platform's own transfer and end-call tools. */
export const promptLine = [
  "Before you put a call through, always call logRoutingEvent with outcome transferred. Only if its answer names a destination, say so and transfer;",
  "if it names none, say its sentence and take the caller's name and number instead.",
  "If a destination does not answer, call logRoutingEvent again with the label of the next one as destination, or offer a callback.",
  "When the caller needs nothing more, say goodbye and end the call.",
].join(" ");

export const whenToTransfer = [
  "Puts the call through to the clinic's staff.",
  "Only after logRoutingEvent, called with outcome transferred, has answered with a destination; never without one.",
].join(" ");

/** What staff hear before the caller is connected. */
export const summaryForStaff = "In one sentence of at most 25 words: who is calling, whether they were verified, and what they want.";

/** The first destination in logRoutingEvent's answer, which is in E.164 where the office's number is one. */
export const destinationPath = "data.destinations.0.phone";
export const destinationVariable = "transfer_number";

export const aboutPrompt = `Add to the agent's prompt: “${promptLine}”`;
