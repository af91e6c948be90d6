import { startPlatform } from "./platform.ts";
import { runCommand } from "./cli/command.ts";

await runCommand("Starting Vitaline on this machine", startPlatform);
