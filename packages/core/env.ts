import * as z from "zod/mini";

/**
 * Reads a function's environment once, through a schema; a missing variable fails at the first use with its name.
 * Lazy, because a bundle may hold code for variables that its function does not have. Another `process.env` is read anew.
 */
export const envReader = <S extends z.ZodMiniType>(schema: S): (() => z.output<S>) => {
  let parsed: z.output<S>;
  let readFrom: NodeJS.ProcessEnv | undefined;
  return () => {
    if (readFrom !== process.env) {
      const result = z.safeParse(schema, process.env);
      if (!result.success)
        throw new Error(`Environment: ${result.error.issues.map((issue) => issue.path.join(".")).join(", ")} missing or malformed`);
      parsed = result.data;
      readFrom = process.env;
    }
    return parsed;
  };
};
