import type { StackProps } from "aws-cdk-lib";
import type { Settings } from "./config.ts";

/** Where a stage's stacks lie. Without a stated account they take that of the credentials that deploy them. */
export const stackProps = ({ account, region, stage }: Settings): StackProps => ({
  env: { account, region },
  tags: { "vitaline:stage": stage },
});
