import { afterAll, vi } from "vitest";

/** Files share a worker, so each starts with the original environment and without mocks. */
const kept = globalThis as { givenEnvironment?: NodeJS.ProcessEnv };
kept.givenEnvironment ??= { ...process.env };
process.env = { ...kept.givenEnvironment };

afterAll(() => void vi.restoreAllMocks());
