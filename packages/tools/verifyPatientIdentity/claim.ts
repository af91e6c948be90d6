import * as z from "zod/mini";
import { maybeSaid, said } from "../parse-args.ts";
import { isoDate, parseSpokenDate } from "../spoken-date.ts";
import { firstGiven, normalName } from "./names.ts";

const name = said().check(z.refine((text) => normalName(text) !== "" && firstGiven(text) !== "", "is missing"));

const BirthDate = z.pipe(
  said(60),
  z.transform((text, issues) => {
    const date = parseSpokenDate(text);
    if (date !== undefined && date !== "ambiguous" && date.year !== undefined) return isoDate({ ...date, year: date.year });
    issues.issues.push({
      code: "custom",
      input: text,
      message: date === "ambiguous" ? "with the month by its name" : "with month, day and year",
    });
    return z.NEVER;
  }),
);

/** Who the caller says to be. */
export const Claim = z
  .object({
    firstName: name,
    lastName: name,
    dateOfBirth: BirthDate,
    phoneNumber: maybeSaid(60),
    zipCode: maybeSaid(20),
    medicalRecordNumber: maybeSaid(60),
    email: maybeSaid(254),
  })
  .check(
    z.refine(({ phoneNumber, zipCode, medicalRecordNumber, email }) => Boolean(phoneNumber ?? zipCode ?? medicalRecordNumber ?? email), {
      path: ["phoneNumber"],
      error: "or the zip code or medical record number on file",
    }),
  );
export type Claim = z.output<typeof Claim>;
