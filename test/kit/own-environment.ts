/** Each test file starts with the environment that the run was given, though files share a worker. */
const kept = globalThis as { givenEnvironment?: NodeJS.ProcessEnv };
kept.givenEnvironment ??= { ...process.env };
process.env = { ...kept.givenEnvironment };
