import { messageTool } from "../messaging/message-tool.ts";

export const sendEmail = messageTool("email", {
  name: "sendEmail",
  what: "an email, with a calendar entry where it tells of an appointment,",
});
