import { Heading } from "@chakra-ui/react/heading";
import { Link } from "@chakra-ui/react/link";
import { QrCode } from "@chakra-ui/react/qr-code";
import { Stack } from "@chakra-ui/react/stack";
import { Text } from "@chakra-ui/react/text";
import { accounts, type TotpEnrolment } from "@vitaline/contract";
import { call } from "../../lib/api/call.ts";
import { useRequestForm } from "../../lib/forms/use-request-form.ts";
import { FormFrame, SubmitButton } from "../../components/form/form-frame.tsx";
import { TextField } from "../../components/form/fields.tsx";
import { CopyableText } from "./copyable-text.tsx";

const inGroups = (secret: string): string => secret.match(/.{1,4}/g)?.join(" ") ?? secret;

type Props = { enrolment: TotpEnrolment; onConfirmed: (recoveryCodes: string[]) => void };

/** The secret for an authenticator, as a picture and as text, and the first code that proves that it is there. */
export const AuthenticatorSetup = ({ enrolment: { secret, otpauthUri }, onConfirmed }: Props) => {
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
