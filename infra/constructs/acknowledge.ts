import { Token, Validations, type Stack } from "aws-cdk-lib";
import type { IConstruct } from "constructs";

/** Why each rule of the checking packs is answered otherwise here: rule id → the control that does its work. */
export type Reasons = Readonly<Record<string, string>>;

/** Answers findings on a construct and all below it. */
export function acknowledge(construct: IConstruct, reasons: Reasons): void {
  Validations.of(construct).acknowledge(...Object.entries(reasons).map(([id, reason]) => ({ id, reason })));
}

/** cdk-nag's name of one wildcard: "Action::s3:List*" or "Resource::" and the ARN as it resolves. */
export const wildcard = (finding: string): string => `AwsSolutions-IAM5[${finding}]`;

/** The account as it stands in those names. */
export const accountText = ({ account }: Stack): string => (Token.isUnresolved(account) ? "<AWS::AccountId>" : account);
