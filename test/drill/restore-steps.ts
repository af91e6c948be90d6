import type { Platform } from "../../packages/local-cloud/platform.ts";
import type { Console } from "./console.ts";
import type { Procedure } from "./manual.ts";

type Names = Record<"TABLE" | "RESTORED" | "TIME" | "ARCHIVE" | "FILES" | "CERTIFICATE_KEY" | "VAULT_KEY" | "HASHES_SECRET", string>;

/** Steps 1 to 7 of the procedure, as far as they are commands; the deployment of step 5 is a new start of the platform. */
export function stepsOf(procedure: Procedure, names: Names, print: (line: string) => void) {
  const begin = (step: number): void => print(`${step}. ${procedure.titleOf(step)}.`);
  const aws = (terminal: Console, step: number, operation: string, values: Record<string, string> = {}) =>
    terminal.aws(procedure.command(step, `aws ${operation}`, { ...names, ...values }));
  const npm = async (terminal: Console, step: number, script: string): Promise<string> => {
    const printed = await terminal.npm(procedure.command(step, `npm run ${script}`, names));
    print(printed);
    return printed;
  };

  return {
    /** Stops `events/archive` after all others, once `archived`. Returns what each function had. */
    async stop(terminal: Console, functions: readonly string[], archived: () => Promise<void>): Promise<Map<string, number | undefined>> {
      begin(1);
      const had = new Map<string, number | undefined>();
      const isArchive = (name: string): boolean => name.endsWith("-events-archive");
      for (const NAME of functions.toSorted((one, other) => Number(isArchive(one)) - Number(isArchive(other)))) {
        if (isArchive(NAME)) await archived();
        const { ReservedConcurrentExecutions: count } = await aws(terminal, 1, "lambda get-function-concurrency", { NAME });
        had.set(NAME, count as number | undefined);
        await aws(terminal, 1, "lambda put-function-concurrency", { NAME });
      }
      return had;
    },
    async restore(terminal: Console): Promise<void> {
      begin(2);
      await aws(terminal, 2, "dynamodb restore-table-to-point-in-time");
    },
    reconcile(terminal: Console): Promise<string> {
      begin(3);
      return npm(terminal, 3, "restore:reconcile");
    },
    async switchOn(terminal: Console): Promise<void> {
      begin(4);
      for (const operation of ["update-table", "update-time-to-live", "update-continuous-backups"])
        await aws(terminal, 4, `dynamodb ${operation}`);
    },
    /** The settings with which the stage is deployed. */
    async open(terminal: Console): Promise<{ tableName: string; tableStreamArn: string }> {
      begin(5);
      const { Table } = await aws(terminal, 5, "dynamodb describe-table");
      return { tableName: names.RESTORED, tableStreamArn: (Table as { LatestStreamArn: string }).LatestStreamArn };
    },
    async runAgain(terminal: Console, had: ReadonlyMap<string, number | undefined>): Promise<void> {
      begin(6);
      for (const [NAME, count] of had)
        await (count === undefined
          ? aws(terminal, 6, "lambda delete-function-concurrency", { NAME })
          : aws(terminal, 6, "lambda put-function-concurrency", { NAME, COUNT: String(count) }));
    },
    verify(terminal: Console): Promise<string> {
      begin(7);
      return npm(terminal, 7, "audit:verify");
    },
  };
}

/** What the operator puts in place of the words in capitals: outputs of the stacks, and choices. */
export function namesIn({ cloud: { functions, lockedBuckets, certificateKeyArn } }: Platform, point: Date): Names {
  const variable = (name: string): string => functions.map(({ env }) => env[name]).find((value) => value !== undefined) ?? "";
  return {
    TABLE: variable("TABLE_NAME"),
    RESTORED: "vitaline-restored",
    TIME: point.toISOString(),
    ARCHIVE: lockedBuckets[0] ?? "",
    FILES: variable("FILES_BUCKET"),
    CERTIFICATE_KEY: certificateKeyArn ?? "",
    VAULT_KEY: variable("VAULT_KEY_ARN"),
    HASHES_SECRET: variable("HASHES_SECRET_ARN"),
  };
}
