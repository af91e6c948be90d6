import * as z from "zod/mini";

/**
 * Reads environment variables through a schema at the first call, because a bundle may contain code for variables that its
 * function does not have. Throws with the names of missing variables. Reads again when `process.env` was replaced.
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
