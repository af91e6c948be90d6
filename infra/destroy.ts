import { cdk, main, readArguments } from "./cdk.ts";
import { fhirSecretPrefix } from "./fhir-secrets.ts";

/** `npm run destroy [-- --stage demo]`: takes a stage's stacks away. Where data is kept, it stays in the account. */
await main(async () => {
  const { stage, rest } = readArguments();
  if (stage === "local")
    throw new Error("The stage local runs on this machine: stop it with Ctrl-C, and npm start -- --reset starts it afresh.");
  await cdk(stage, ["destroy", "--all", ...rest]);
  process.stdout.write(`
What the platform made while it ran is not part of the stacks and is still in the account:
  KMS keys tagged vitaline:use=platform-signing, and secrets whose names begin with ${fhirSecretPrefix(stage)}
`);
});
