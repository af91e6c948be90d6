import { TenantSettingsChange } from "@vitaline/contract";
import * as z from "zod/mini";

const typedAmount = /^(\$?\s?\d[\d,]*(\.\d+)?)?$/;

/** What a person types for US dollars: "$1,200.50"; nothing typed takes the amount away. */
const typed = z.pipe(
  z.string().check(z.trim(), z.regex(typedAmount, "Must be an amount in dollars and cents, such as 25.50")),
  z.transform((text): number | null | undefined => (text === "" ? null : Number(text.replaceAll(/[$,\s]/g, "")))),
);

const { hourlyWage, averageVisitValue } = TenantSettingsChange.shape;
export const MoneyAmounts = z.object({ hourlyWage: z.pipe(typed, hourlyWage), averageVisitValue: z.pipe(typed, averageVisitValue) });

/** An amount as the form begins with it. */
export const asTyped = (amount: number | null): string => (amount === null ? "" : amount.toFixed(2));
