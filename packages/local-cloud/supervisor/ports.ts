import { createServer, type AddressInfo } from "node:net";
import { StartError } from "../start-error.ts";

export type Ports = { edge: number; aws: number; ehr: number; voice: number };

/** The four ports in a row, all free; with 0 each part chooses its own. */
export async function choosePorts(port: number): Promise<Ports> {
  if (port === 0) return { edge: 0, aws: 0, ehr: 0, voice: 0 };
  const ports = { edge: port, aws: port + 1, ehr: port + 2, voice: port + 3 };
  for (const one of Object.values(ports)) {
    if (!(await isFree(one)))
      throw new StartError(
        `Port ${one} is in use. Stop what uses it, or choose other ports: PORT=${port + 1000} npm start takes ${port + 1000} to ${port + 1003}.`,
      );
  }
  return ports;
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  const free = new Promise<boolean>((resolve) => {
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => resolve((server.address() as AddressInfo).port === port));
  });
  const answer = await free;
  if (answer) await new Promise((resolve) => server.close(resolve));
  return answer;
}
