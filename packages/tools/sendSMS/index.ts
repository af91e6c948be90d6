import { messageTool } from "../messaging/message-tool.ts";

export const sendSMS = messageTool("sms", { name: "sendSMS", what: "a text message" });
