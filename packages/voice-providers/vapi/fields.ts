import * as z from "zod/mini";

/**
 * Fields of a foreign body: what is not as expected counts as absent, so that one odd field never costs the rest.
 */
const lenient = <S extends z.ZodMiniType>(schema: S) => z.catch(z.optional(schema), undefined);

const daySeconds = 86_400;

export const id = lenient(z.string().check(z.minLength(1), z.maxLength(200)));
/** Blank text is absent too. */
export const text = lenient(z.string().check(z.trim(), z.minLength(1)));
export const amount = lenient(z.number().check(z.gte(0)));
export const seconds = lenient(z.number().check(z.gte(0), z.lte(daySeconds)));
export const milliseconds = lenient(z.number().check(z.gte(0), z.lte(daySeconds * 1000)));
/** ISO 8601 with any offset, or milliseconds since 1970; in UTC afterwards. */
export const instant = lenient(
  z.pipe(
    z.union([z.iso.datetime({ offset: true }), z.number().check(z.gte(0), z.lte(Date.UTC(2100, 0)))]),
    z.transform((at) => new Date(at).toISOString()),
  ),
);
export const unknown = z.optional(z.unknown());
export const object = <Shape extends z.core.$ZodLooseShape>(shape: Shape) => lenient(z.object(shape));
export const list = <S extends z.ZodMiniType>(element: S) => lenient(z.array(element));
