import { Token, Validations, type Stack } from "aws-cdk-lib";
import type { IConstruct } from "constructs";

/** Rule id of a cdk-nag pack → the control that replaces it here. */
export type Reasons = Readonly<Record<string, string>>;

/** Acknowledges findings on a construct and its children. */
export function acknowledge(construct: IConstruct, reasons: Reasons): void {
  Validations.of(construct).acknowledge(...Object.entries(reasons).map(([id, reason]) => ({ id, reason })));
}

/** cdk-nag's id of a wildcard finding: "Action::s3:List*", or "Resource::" and the resolved ARN. */
export const wildcard = (finding: string): string => `AwsSolutions-IAM5[${finding}]`;

/** The account as written in those ids. */
export const accountText = ({ account }: Stack): string => (Token.isUnresolved(account) ? "<AWS::AccountId>" : account);
