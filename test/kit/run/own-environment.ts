import { afterAll, vi } from "vitest";

/** Each test file starts with the environment that the run was given and leaves no mock behind, though files share a worker. */
const kept = globalThis as { givenEnvironment?: NodeJS.ProcessEnv };
kept.givenEnvironment ??= { ...process.env };
process.env = { ...kept.givenEnvironment };

afterAll(() => void vi.restoreAllMocks());
