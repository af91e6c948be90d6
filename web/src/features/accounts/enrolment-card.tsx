import { accounts, type ProofOfPassword, type TotpEnrolment } from "@vitaline/contract";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { ApiError } from "../../lib/api/api-error.ts";
import { call } from "../../lib/api/call.ts";
import { useRequestForm } from "../../lib/forms/use-request-form.ts";
import { FormCard } from "../../components/form/form-card.tsx";
import { FormFrame, SubmitButton } from "../../components/form/form-frame.tsx";
import { LoadFailure } from "../../components/feedback/loadable.tsx";
import { TextField } from "../../components/form/fields.tsx";
import { Waiting } from "../../components/feedback/waiting.tsx";
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
      setAsked({ enrolment: await call(accounts.enrollTotp, { body: {} }), isAsking: false });
    } catch (error) {
      setAsked({ error, isAsking: false });
    }
  };
  useEffect(() => {
    if (hasAsked.current) return;
    hasAsked.current = true;
    void ask();
  }, []);
  return { ...asked, ask, take: (enrolment: TotpEnrolment) => setAsked({ enrolment, isAsking: false }) };
};

const wantsPassword = (error: unknown): boolean => error instanceof ApiError && error.problem?.fields?.["currentPassword"] !== undefined;

/** For who signed in a while ago: the screen may have been left open. */
const PasswordFirst = ({ onEnrolment }: { onEnrolment: (enrolment: TotpEnrolment) => void }) => {
  const { field, failure, isBusy, submit } = useRequestForm<ProofOfPassword>({
    schema: accounts.enrollTotp.body,
    defaultValues: { currentPassword: "" },
    send: async (body) => onEnrolment(await call(accounts.enrollTotp, { body })),
  });
  return (
    <FormFrame onSubmit={submit} failure={failure}>
      <TextField
        label="Current password"
        hint="You signed in a while ago, so please enter your password first."
        type="password"
        autoComplete="current-password"
        {...field("currentPassword")}
      />
      <SubmitButton isBusy={isBusy} busyText="Checking...">
        Continue
      </SubmitButton>
    </FormFrame>
  );
};

type Props = { lead: string; /** For who would rather not. */ wayOut: ReactNode; onDone: () => Promise<void> };

/** To a second factor: from the secret over a first code to the recovery codes. */
const EnrolmentCard = ({ lead, wayOut, onDone }: Props) => {
  const { enrolment, error, isAsking, ask, take } = useEnrolment();
  const [recoveryCodes, setRecoveryCodes] = useState<string[]>();
  if (recoveryCodes) return <RecoveryCodesCard codes={recoveryCodes} onDone={onDone} />;
  return (
    <FormCard title="Set up two-factor sign-in" lead={lead} isStep>
      {enrolment ? (
        <AuthenticatorSetup enrolment={enrolment} onConfirmed={setRecoveryCodes} />
      ) : error === undefined ? (
        <Waiting text="Loading your setup key..." />
      ) : wantsPassword(error) ? (
        <PasswordFirst onEnrolment={take} />
      ) : (
        <LoadFailure what="your setup key" error={error} onRetry={() => void ask()} isRetrying={isAsking} />
      )}
      {wayOut}
    </FormCard>
  );
};

export default EnrolmentCard;
