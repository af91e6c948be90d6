import { accounts, type TotpEnrolment } from "@vitaline/contract";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { call } from "../../api/call.ts";
import { FormCard } from "../../components/form-card.tsx";
import { LoadFailure } from "../../components/load-failure.tsx";
import { Waiting } from "../../components/waiting.tsx";
import { AuthenticatorSetup } from "./authenticator-setup.tsx";
import { RecoveryCodesCard } from "./recovery-codes-card.tsx";

type Asked = { enrolment?: TotpEnrolment; error?: unknown; isAsking: boolean };

/** A secret of one's own. Each asking makes a new one, which replaces the one before. */
const useEnrolment = () => {
  const [asked, setAsked] = useState<Asked>({ isAsking: true });
  const hasAsked = useRef(false);
  const ask = async () => {
    setAsked((before) => ({ ...before, isAsking: true }));
    try {
      setAsked({ enrolment: await call(accounts.enrollTotp, {}), isAsking: false });
    } catch (error) {
      setAsked({ error, isAsking: false });
    }
  };
  useEffect(() => {
    if (hasAsked.current) return;
    hasAsked.current = true;
    void ask();
  }, []);
  return { ...asked, ask };
};

type Props = { lead: string; /** For who would rather not. */ wayOut: ReactNode; onDone: () => Promise<void> };

/** To a second factor: from the secret over a first code to the recovery codes. */
const EnrolmentCard = ({ lead, wayOut, onDone }: Props) => {
  const { enrolment, error, isAsking, ask } = useEnrolment();
  const [recoveryCodes, setRecoveryCodes] = useState<string[]>();
  if (recoveryCodes) return <RecoveryCodesCard codes={recoveryCodes} onDone={onDone} />;
  return (
    <FormCard title="Set up two-factor sign-in" lead={lead} isStep>
      {enrolment ? (
        <AuthenticatorSetup enrolment={enrolment} onConfirmed={setRecoveryCodes} />
      ) : error === undefined ? (
        <Waiting text="Loading your setup key..." />
      ) : (
        <LoadFailure what="your setup key" error={error} onRetry={() => void ask()} isRetrying={isAsking} />
      )}
      {wayOut}
    </FormCard>
  );
};

export default EnrolmentCard;
