import { createHash } from "node:crypto";
import { accessSync, chmodSync, constants, existsSync, mkdirSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { createConnection, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { StartError } from "../lib/run.ts";

const marker = ".vitaline";
const markerText = "A Vitaline platform keeps its data in this folder. npm start -- --reset throws that data away.\n";

const platformFiles = [
  "dynamodb",
  "s3",
  "ehr",
  "mail",
  "sms",
  "logs",
  "queues",
  "assemblies",
  "concurrency.json",
  "stacks.json",
  "keys.json",
  "secrets.json",
  "local.json",
  "demo.json",
  "demo-state.json",
];
const leftover = /^(concurrency|stacks|keys|secrets|local|demo|demo-state)\.json\.(new|\d+\.tmp)$/;
const platformSigns = [path.join("dynamodb", "CURRENT"), "demo-state.json", path.join("ehr", "resources.jsonl")];

const isOwn = (name: string): boolean => platformFiles.includes(name) || leftover.test(name);

/** Throws StartError for a folder with files of another program. */
function claimFolder(dataDir: string): void {
  if (existsSync(path.join(dataDir, marker))) return;
  if (readdirSync(dataDir).length > 0 && !platformSigns.some((sign) => existsSync(path.join(dataDir, sign))))
    throw new StartError(
      `The data folder ${dataDir} contains other files, which were not changed: set VITALINE_DATA to an empty or a new folder.`,
    );
  writeFileSync(path.join(dataDir, marker), markerText, { mode: 0o600 });
}

function emptyFolder(dataDir: string): void {
  for (const name of readdirSync(dataDir).filter(isOwn)) rmSync(path.join(dataDir, name), { recursive: true, force: true });
}

type DataFolder = { release(): Promise<void> };

/**
 * Takes exclusive use of the folder until released. The lock is a listening socket, so it ends with the process. `reset` deletes the
 * platform's files first. Throws StartError for a folder with files of another program.
 */
export async function takeDataFolder(dataDir: string, reset: boolean): Promise<DataFolder> {
  makeFolder(dataDir);
  const lock = await takeLock(dataDir);
  if (reset) emptyFolder(dataDir);
  return { release: () => new Promise((resolve) => lock.close(() => resolve())) };
}

function makeFolder(dataDir: string): void {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
    claimFolder(dataDir);
    // The folder holds keys and patient data, so only its owner may read it
    chmodSync(dataDir, 0o700);
  } catch (cause) {
    if (cause instanceof StartError) throw cause;
    throw new StartError(
      `The data folder ${dataDir} cannot be used (${(cause as NodeJS.ErrnoException).code}): make it a folder that you may write to, or name another in VITALINE_DATA.`,
      { cause },
    );
  }
}

function lockAddress(dataDir: string): string {
  const name = `vitaline-${createHash("sha256").update(realpathSync(dataDir)).digest("hex").slice(0, 16)}`;
  return process.platform === "win32" ? `\\\\.\\pipe\\${name}` : path.join(tmpdir(), `${name}.sock`);
}

async function takeLock(dataDir: string): Promise<Server> {
  const address = lockAddress(dataDir);
  const lock = (await listen(address)) ?? ((await isHeld(address)) ? undefined : await listenAgain(address));
  if (!lock)
    throw new StartError(
      `The data folder ${dataDir} is in use by another running platform. Stop that one, or name another folder in VITALINE_DATA.`,
    );
  return lock;
}

function listenAgain(address: string): Promise<Server | undefined> {
  rmSync(address, { force: true });
  return listen(address);
}

const listen = (address: string): Promise<Server | undefined> =>
  new Promise((resolve) => {
    const server = createServer((socket) => socket.destroy());
    server.once("error", () => resolve(undefined));
    server.listen(address, () => {
      server.unref();
      resolve(server);
    });
  });

const isHeld = (address: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = createConnection(address);
    socket.once("connect", () => (socket.destroy(), resolve(true)));
    socket.once("error", () => resolve(false));
  });
