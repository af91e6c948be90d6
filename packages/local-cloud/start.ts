import { startPlatform } from "./platform.ts";
import { runCommand } from "./supervisor/command.ts";

await runCommand("Starting Vitaline on this machine", startPlatform);
