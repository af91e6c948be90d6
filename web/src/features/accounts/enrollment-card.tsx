import { accounts, type ProofOfPassword, type TotpEnrolment } from "@vitaline/contract";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { Heading } from "@chakra-ui/react/heading";
import { Link } from "@chakra-ui/react/link";
import { QrCode } from "@chakra-ui/react/qr-code";
import { Stack } from "@chakra-ui/react/stack";
import { Text } from "@chakra-ui/react/text";
import { Alert } from "@chakra-ui/react/alert";
import { Button } from "@chakra-ui/react/button";
import { Flex } from "@chakra-ui/react/flex";
import { chakra } from "@chakra-ui/react/styled-system";
import { call } from "../../lib/api/call.ts";
import { useRequestForm } from "../../lib/forms/use-request-form.ts";
import { FormCard } from "../../components/form/form-card.tsx";
import { FormFrame, SubmitButton } from "../../components/form/form-frame.tsx";
import { LoadFailure } from "../../components/feedback/loadable.tsx";
import { TextField } from "../../components/form/fields.tsx";
import { Waiting } from "../../components/feedback/waiting.tsx";
import { CopyButton } from "../../components/data/copy-button.tsx";
import { OwnPasswordField, wantsPassword } from "./own-password-field.tsx";

type Props = { lead: string; wayOut: ReactNode; onDone: () => Promise<void> };

/** TOTP enrollment: secret, first code, recovery codes. */
const EnrollmentCard = ({ lead, wayOut, onDone }: Props) => {
  const { enrolment, error, isAsking, ask, take } = useEnrollment();
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

type Asked = { enrolment?: TotpEnrolment; error?: unknown; isAsking: boolean };

/** Each request creates a new secret that replaces the one before. */
const useEnrollment = () => {
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

type RecoveryCodesCardProps = { codes: string[]; onDone: () => Promise<void> };

/** The codes are shown once: the server stores only their hashes. */
const RecoveryCodesCard = ({ codes, onDone }: RecoveryCodesCardProps) => {
  const [isLeaving, setIsLeaving] = useState(false);
  const leave = async () => {
    setIsLeaving(true);
    await onDone();
  };
  return (
    <FormCard
      title="Save your recovery codes"
      lead="Two-factor sign-in is on. If you lose your phone, you can use each of these codes once instead of your authenticator."
      isStep
    >
      <Alert.Root status="warning">
        <Alert.Description>They are shown only now. Keep them where you keep your passwords.</Alert.Description>
      </Alert.Root>
      <chakra.ul
        aria-label="Recovery codes"
        listStyleType="none"
        display="grid"
        gridTemplateColumns={{ base: "1fr", sm: "1fr 1fr" }}
        gap="2"
        p="4"
        bg="bg.muted"
        borderRadius="l2"
        fontFamily="mono"
        textStyle="sm"
      >
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </chakra.ul>
      <Flex gap="3" wrap="wrap" align="center" justify="space-between">
        <CopyButton what="recovery codes" text={codes.join("\n")} />
        <Button aria-disabled={isLeaving} onClick={() => isLeaving || void leave()}>
          {isLeaving ? "Opening..." : "I have saved them"}
        </Button>
      </Flex>
    </FormCard>
  );
};

type AuthenticatorSetupProps = { enrolment: TotpEnrolment; onConfirmed: (recoveryCodes: string[]) => void };

const AuthenticatorSetup = ({ enrolment: { secret, otpauthUri }, onConfirmed }: AuthenticatorSetupProps) => {
  const { field, failure, isBusy, submit } = useRequestForm({
    schema: accounts.confirmTotp.body,
    defaultValues: { code: "" },
    send: async ({ code }) => onConfirmed((await call(accounts.confirmTotp, { body: { code } })).recoveryCodes),
  });
  return (
    <>
      <Stack gap="4" as="section">
        <Heading as="h2" size="md">
          1. Add Vitaline to your authenticator app
        </Heading>
        <QrCode.Root value={otpauthUri} encoding={{ ecc: "M" }} alignSelf="center" bg="#fff" p="4" borderRadius="l2" borderWidth="1px">
          <QrCode.Frame aria-hidden boxSize="48" display="block" fill="#000" />
        </QrCode.Root>
        <Text textStyle="sm" color="fg.muted">
          Scan the code with the app. On the phone itself, <Link href={otpauthUri}>open the setup link</Link> or type in the setup key.
        </Text>
        <CopyableText label="Setup key" text={secret} shown={inGroups(secret)} />
        <CopyableText label="Setup link" text={otpauthUri} />
      </Stack>
      <Stack gap="4" as="section">
        <Heading as="h2" size="md">
          2. Enter the code that the app shows
        </Heading>
        <FormFrame onSubmit={submit} failure={failure}>
          <TextField
            label="Authenticator code"
            hint="Six digits, new every 30 seconds."
            inputMode="numeric"
            autoComplete="one-time-code"
            {...field("code")}
          />
          <SubmitButton isBusy={isBusy} busyText="Checking...">
            Turn on two-factor sign-in
          </SubmitButton>
        </FormFrame>
      </Stack>
    </>
  );
};

type CopyableTextProps = { label: string; text: string; shown?: string };

const CopyableText = ({ label, text, shown = text }: CopyableTextProps) => (
  <chakra.div display="flex" alignItems="flex-start" justifyContent="space-between" gap="4">
    <dl>
      <chakra.dt textStyle="sm" fontWeight="semibold">
        {label}
      </chakra.dt>
      <chakra.dd textStyle="sm" fontFamily="mono" overflowWrap="anywhere">
        {shown}
      </chakra.dd>
    </dl>
    <CopyButton what={label.toLowerCase()} text={text} />
  </chakra.div>
);

const inGroups = (secret: string): string => secret.match(/.{1,4}/g)?.join(" ") ?? secret;

const PasswordFirst = ({ onEnrolment }: { onEnrolment: (enrolment: TotpEnrolment) => void }) => {
  const { field, failure, isBusy, submit } = useRequestForm<ProofOfPassword>({
    schema: accounts.enrollTotp.body,
    defaultValues: { currentPassword: "" },
    send: async (body) => onEnrolment(await call(accounts.enrollTotp, { body })),
  });
  return (
    <FormFrame onSubmit={submit} failure={failure}>
      <OwnPasswordField label="Current password" {...field("currentPassword")} />
      <SubmitButton isBusy={isBusy} busyText="Checking...">
        Continue
      </SubmitButton>
    </FormFrame>
  );
};

export default EnrollmentCard;
