import { drillRestore, isWhole } from "./restore.ts";

const report = await drillRestore((line) => void process.stdout.write(`${line}\n`));
process.stdout.write(
  isWhole(report) ? "The restored platform is whole.\n" : `The restored platform is NOT whole: ${JSON.stringify(report, null, 2)}\n`,
);
process.exit(isWhole(report) ? 0 : 1);
