import * as z from "zod/mini";

/** A filter in an address; "" means absent, as forms send it. */
export const optionally = <S extends z.ZodMiniType>(schema: S) =>
  z.optional(
    z.pipe(
      z.union([schema, z.literal("")]),
      z.transform((value): Exclude<z.output<S>, ""> | undefined => (value === "" ? undefined : (value as Exclude<z.output<S>, "">))),
    ),
  );

/** "true" or "false". */
export const flag = optionally(
  z.pipe(
    z.enum(["true", "false"]),
    z.transform((text) => text === "true"),
  ),
);

const dayMs = 86_400_000;
const isDay = (text: string): boolean => text.length === 10;
const moment = z.union(
  [z.iso.datetime({ offset: true }), z.iso.date()],
  "Must be a date (2026-05-01) or an instant (2026-05-01T09:00:00Z)",
);

/** The beginning of a stretch of time: an instant, or the first one of a UTC day; becomes an instant in UTC. */
export const from = optionally(
  z.pipe(
    moment,
    z.transform((text) => new Date(text).toISOString()),
  ),
);
/** The end of a stretch of time, inclusive: an instant, or the last one of a UTC day. */
export const to = optionally(
  z.pipe(
    moment,
    z.transform((text) => (isDay(text) ? new Date(Date.parse(text) + dayMs - 1) : new Date(text)).toISOString()),
  ),
);
/** For a query that holds both. */
export const fromBeforeTo = z.refine<{ from?: string; to?: string }>((query) => !query.from || !query.to || query.from <= query.to, {
  path: ["to"],
  error: "Must not be before the beginning",
});
