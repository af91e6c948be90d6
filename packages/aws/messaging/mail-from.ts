import { envReader } from "@vitaline/core";
import * as z from "zod/mini";

const environment = envReader(z.object({ MAIL_FROM: z.optional(z.string()) }));

/** The sender address; undefined when this stage sends no mail. */
export const mailFrom = (): string | undefined => environment().MAIL_FROM || undefined;
