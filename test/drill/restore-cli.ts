import { drillRestore } from "./restore.ts";

const { calls, cameBack, secretsUnreadable, appointments, verification } = await drillRestore(
  (line) => void process.stdout.write(`${line}\n`),
);
const isWhole =
  calls.missing + calls.unreadable + cameBack + secretsUnreadable === 0 &&
  appointments.named === appointments.booked &&
  verification.includes("All rows are intact.");
process.stdout.write(isWhole ? "The restored platform is whole.\n" : "The restored platform is NOT whole.\n");
process.exit(isWhole ? 0 : 1);
