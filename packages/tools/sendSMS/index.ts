import { messageTool } from "../messaging/message-tool.ts";

export const sendSMS = messageTool("sms", { name: "sendSMS", title: "Send a text message", what: "a text message" });
