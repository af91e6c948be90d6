import type { Tool } from "./define-tool.ts";
import { getPatientInfo } from "./getPatientInfo/index.ts";
import { scheduleAppointment } from "./scheduleAppointment/index.ts";
import { verifyPatientIdentity } from "./verifyPatientIdentity/index.ts";

/** Every tool by its name on the wire. */
export const tools: Readonly<Record<string, Tool>> = { verifyPatientIdentity, getPatientInfo, scheduleAppointment };
