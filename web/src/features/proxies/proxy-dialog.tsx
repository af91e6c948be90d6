import { Button } from "@chakra-ui/react/button";
import { Stack } from "@chakra-ui/react/stack";
import { Text } from "@chakra-ui/react/text";
import { type ApprovedProxy, type ApprovedProxyDetail, proxies } from "@vitaline/contract";
import { useEffect, useState } from "react";
import { DateTime } from "../../components/data/text.tsx";
import { Confirmation } from "../../components/dialog/confirmation.tsx";
import { Dialog } from "../../components/dialog/dialog.tsx";
import { Loadable, RowSkeletons } from "../../components/feedback/loadable.tsx";
import { EditConflict } from "../../components/form/edit-conflict.tsx";
import { ChoiceField, TextField } from "../../components/form/fields.tsx";
import { FormFrame, SubmitButton } from "../../components/form/form-frame.tsx";
import { SwitchField } from "../../components/form/switch-field.tsx";
import { DetailList } from "../../components/table/detail-list.tsx";
import { call } from "../../lib/api/call.ts";
import { IsolatedCache } from "../../lib/api/isolated-cache.tsx";
import { useInlineAction } from "../../lib/api/use-action.ts";
import { useApi } from "../../lib/api/use-api.ts";
import { useRefresh } from "../../lib/api/use-refresh.ts";
import { formatDay } from "../../lib/format/times.ts";
import { useEditForm } from "../../lib/forms/use-edit-form.ts";
import { useAuth } from "../../lib/session/auth.tsx";
import { announce } from "../../lib/toast.ts";
import { relationshipNames } from "./proxy-format.tsx";
import {
  changesTo,
  differences,
  holdLabel,
  lastDayLabel,
  ProxyForm,
  type ProxyValues,
  scopeLabel,
  scopeOptions,
  valuesOf,
} from "./proxy-format.tsx";

type Props = {
  proxyId: string;
  onClose: () => void;
  onChanged: (proxy: ApprovedProxy) => void;
  onRevoked: () => void;
};

/** Each opening fetches and audits the names again, and closing drops them from the cache. */
const ProxyDialog = ({ onRevoked, ...props }: Props) => {
  const refresh = useRefresh();
  const revoked = async (): Promise<void> => {
    props.onClose();
    announce({ type: "success", title: "Approval revoked" });
    await refresh(proxies.listProxies);
    onRevoked();
  };
  return (
    <IsolatedCache>
      <OpenProxy {...props} onRevoked={revoked} />
    </IsolatedCache>
  );
};

const OpenProxy = ({ proxyId, onClose, onChanged, onRevoked }: Omit<Props, "onRevoked"> & { onRevoked: () => Promise<void> }) => {
  const loaded = useApi(proxies.readProxy, { params: { proxyId } });
  const [isDirty, setIsDirty] = useState(false);
  return (
    <Dialog title="Approved person" isDirty={isDirty} onClose={onClose}>
      <Loadable loaded={loaded} what="the approved person" skeleton={<RowSkeletons />}>
        {(proxy) => (
          <Stack gap="6">
            <ProxyFacts proxy={proxy} />
            <ProxyLimits proxy={proxy} onChanged={onChanged} onDirty={setIsDirty} />
            <RevokeButton proxyId={proxy.id} onRevoked={onRevoked} />
            <Text textStyle="sm" color="fg.muted">
              Reading and changing this approval is recorded in the audit log.
            </Text>
          </Stack>
        )}
      </Loadable>
    </Dialog>
  );
};

const ProxyFacts = ({ proxy: { people, relationship, createdAt, approvedBy } }: { proxy: ApprovedProxyDetail }) => {
  const { user } = useAuth();
  return (
    <DetailList
      details={[
        ["Person", people.name],
        ["Phone", people.phone],
        ["Relationship", relationshipNames[relationship]],
        ["Patient", `${people.patientFirstName} ${people.patientLastName}`],
        ["Date of birth", formatDay(people.patientBirthDate, "UTC")],
        ["Medical record number", people.medicalRecordNumber],
        ["Approved", <DateTime key="approved" at={createdAt} />],
        ["Approved by", approvedBy === user?.id ? "You" : "A colleague"],
      ]}
    />
  );
};

type LimitsProps = { proxy: ApprovedProxyDetail; onChanged: (proxy: ApprovedProxy) => void; onDirty: (isDirty: boolean) => void };

const ProxyLimits = ({ proxy, onChanged, onDirty }: LimitsProps) => {
  const refresh = useRefresh();
  const { field, form, failure, isBusy, submit, conflict } = useEditForm<ApprovedProxy, ProxyValues>({
    current: proxy,
    valuesOf,
    schema: ProxyForm,
    differences,
    save: async (typed, begun) => {
      const body = changesTo(begun, typed);
      const saved = await call(proxies.changeProxy, { params: { proxyId: proxy.id }, body }, { ifMatch: proxy.version });
      onChanged(saved);
      announce({ type: "success", title: "Approval saved" });
      await refresh(proxies.readProxy);
      return saved;
    },
    reread: () => refresh(proxies.readProxy),
  });
  const { isDirty } = form.formState;
  useEffect(() => onDirty(isDirty), [isDirty, onDirty]);
  return (
    <FormFrame onSubmit={submit} failure={failure}>
      <EditConflict what="approval" conflict={conflict} />
      <ChoiceField label={scopeLabel} options={scopeOptions} {...field("scope")} />
      <TextField label={lastDayLabel} type="date" {...field("validUntil")} />
      <SwitchField
        label={holdLabel}
        hint="Custody or legal authority is in dispute: the person is transferred to your staff."
        {...form.register("onHold")}
      />
      <SubmitButton isBusy={isBusy} busyText="Saving...">
        Save changes
      </SubmitButton>
    </FormFrame>
  );
};

const RevokeButton = ({ proxyId, onRevoked }: { proxyId: string; onRevoked: () => Promise<void> }) => {
  const [isAsking, setIsAsking] = useState(false);
  const { run, isBusy, failure } = useInlineAction(async () => {
    await call(proxies.revokeProxy, { params: { proxyId } });
    await onRevoked();
  });
  return (
    <>
      <Button variant="outline" colorPalette="red" alignSelf="flex-start" onClick={() => setIsAsking(true)}>
        Revoke approval
      </Button>
      {isAsking ? (
        <Confirmation
          title="Revoke this approval?"
          action="Revoke approval"
          busyAction="Revoking..."
          isBusy={isBusy}
          failure={failure}
          isDangerous
          onConfirm={() => run()}
          onCancel={() => setIsAsking(false)}
        >
          The person can no longer call for this patient. A call in progress keeps what was verified until it ends.
        </Confirmation>
      ) : null}
    </>
  );
};

export default ProxyDialog;
