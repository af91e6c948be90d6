import * as z from "zod/mini";

/** An optional filter; "" means absent, because forms send it. */
export const optionally = <S extends z.ZodMiniType>(schema: S) =>
  z.optional(
    z.pipe(
      z.union([schema, z.literal("")]),
      z.transform((value): Exclude<z.output<S>, ""> | undefined => (value === "" ? undefined : (value as Exclude<z.output<S>, "">))),
    ),
  );

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

/** Start of a period: an instant, or a UTC day's first one. Becomes an instant in UTC. */
export const from = optionally(
  z.pipe(
    moment,
    z.transform((text) => new Date(text).toISOString()),
  ),
);
/** Inclusive end of a period: an instant, or a UTC day's last one. */
export const to = optionally(
  z.pipe(
    moment,
    z.transform((text) => (isDay(text) ? new Date(Date.parse(text) + dayMs - 1) : new Date(text)).toISOString()),
  ),
);
/** For a query with both. */
export const fromBeforeTo = z.refine<{ from?: string; to?: string }>((query) => !query.from || !query.to || query.from <= query.to, {
  path: ["to"],
  error: "Must not be before the beginning",
});
