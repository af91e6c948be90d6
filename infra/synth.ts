import { cdk, main, readArguments } from "./cdk.ts";

/** `npm run synth [-- --stage local|demo|production]`: the templates into cdk.out, without credentials or network. */
await main(async () => {
  const { stage, rest } = readArguments();
  await cdk(stage, ["synth", "--quiet", "--no-lookups", ...rest]);
  process.stdout.write(`The templates of the stage ${stage} lie in cdk.out.\n`);
});
