import { Alert } from "@chakra-ui/react/alert";
import { chakra } from "@chakra-ui/react/styled-system";
import { useEffect, useId, useRef, useState } from "react";
import { AssignForm, type AssignProps } from "./assign-form.tsx";

/** Lets an agent of one of the tenant's voice platforms answer for an office. */
export const AssignAgent = (props: AssignProps) => {
  const titleId = useId();
  const [assigned, setAssigned] = useState(0);
  const section = useRef<HTMLElement>(null);
  // The next form begins anew, and what had the focus in the one before is gone.
  useEffect(() => {
    if (assigned > 0) section.current?.querySelector("select")?.focus();
  }, [assigned]);
  const providers = props.providers.filter(({ isActive }) => isActive);
  return (
    <chakra.section ref={section} aria-labelledby={titleId} borderTopWidth="1px" borderColor="border" pt="5">
      <chakra.h3 id={titleId} fontWeight="semibold" mb="4">
        Assign an agent
      </chakra.h3>
      {providers.length === 0 ? (
        <Alert.Root status="warning">
          <Alert.Content>
            <Alert.Title>You need to configure at least one voice provider before assigning agents.</Alert.Title>
            <Alert.Description>
              Voice providers are set up by the platform&apos;s administrators. Please ask them to connect yours.
            </Alert.Description>
          </Alert.Content>
        </Alert.Root>
      ) : (
        <AssignForm
          key={assigned}
          {...props}
          providers={providers}
          onAssigned={async () => {
            await props.onAssigned();
            setAssigned(assigned + 1);
          }}
        />
      )}
    </chakra.section>
  );
};
