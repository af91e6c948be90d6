import { type Credentials, type Role, sessions, type SignedIn } from "@vitaline/contract";
import { useState } from "react";
import { ApiError } from "../../lib/api/api-error.ts";
import { call } from "../../lib/api/call.ts";
import { CodeCard } from "./code-card.tsx";
import { LoginCard } from "./login-card.tsx";

const wantsCode = (error: unknown): boolean => error instanceof ApiError && error.problem?.code === "totp_required";

type Props = {
  forRole: Role;
  notice: string | undefined;
  /** Something else stood at this address before. */ isStep: boolean;
  /** With the password that was typed: who has to choose another need not type it again. */
  onSignedIn: (signedIn: SignedIn, password: string) => void;
};

/** Email and password, and for who has a second factor its code, sent along with them. */
export const SignInSteps = ({ forRole, notice, isStep, onSignedIn }: Props) => {
  const [known, setKnown] = useState<Credentials>();
  const [isBack, setIsBack] = useState(isStep);

  const enter = async (credentials: Credentials) => onSignedIn(await call(sessions.login, { body: credentials }), credentials.password);

  if (known) {
    const goBack = () => {
      setKnown(undefined);
      setIsBack(true);
    };
    return <CodeCard send={(totpCode) => enter({ ...known, totpCode })} onBack={goBack} />;
  }
  const send = async (credentials: Credentials) => {
    try {
      await enter(credentials);
    } catch (error) {
      if (!wantsCode(error)) throw error;
      setKnown(credentials);
    }
  };
  return <LoginCard forRole={forRole} notice={notice} isStep={isBack} send={send} />;
};
