import { once } from "node:events";
import { createServer } from "node:net";

/** Below the ports that systems give to other sockets, so that none is taken before the process that is given it listens. */
const lowest = 10_000;
const highest = 30_000;

/** The first of `count` consecutive free ports, for a process that has to be told its port. */
export async function freePorts(count = 1): Promise<number> {
  for (;;) {
    const first = lowest + Math.floor(Math.random() * (highest - lowest));
    const free = await Promise.all(Array.from({ length: count }, (_, at) => isFree(first + at)));
    if (free.every(Boolean)) return first;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  try {
    await once(server.listen(port, "127.0.0.1"), "listening");
  } catch {
    return false;
  }
  server.close();
  await once(server, "close");
  return true;
}
