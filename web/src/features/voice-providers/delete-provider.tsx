import { chakra } from "@chakra-ui/react/styled-system";
import type { VoiceProvider } from "@vitaline/contract";
import { Confirmation } from "../../components/dialog/confirmation.tsx";
import { ApiError, explain, isStale } from "../../lib/api/api-error.ts";
import { useInlineAction } from "../../lib/api/use-action.ts";
import { platformNames } from "../../lib/format/labels.ts";
import { announce } from "../../lib/toast.ts";

export type DeleteProviderProps = {
  provider: Pick<VoiceProvider, "providerName" | "providerType" | "isDefault" | "isActive">;
  remove: () => Promise<unknown>;
  onEdit: () => void;
  onRemoved: (sentence: string) => Promise<void>;
  onChanged: () => Promise<void>;
  onClose: () => void;
};

const title = "Delete voice provider";
const done = "Voice provider deleted successfully";
const failed = "Failed to delete voice provider";

/** The toast is behind the dialog, which shows the reason too. */
const announceRefusal = (error: unknown): string => {
  const reason = isStale(error)
    ? "Another user has changed it in the meantime. The current version is shown; please try again."
    : explain(error);
  announce({ type: "error", title: "Error deleting voice provider", description: `${failed}. ${reason}` });
  return `${failed}. ${reason}`;
};

export const DeleteProvider = ({ provider, remove, onEdit, onRemoved, onChanged, onClose }: DeleteProviderProps) => {
  const { providerName, isActive } = provider;
  const { run, isBusy, failure } = useInlineAction(async () => {
    try {
      await remove();
    } catch (error) {
      // Reload, so that the list and a retry are of the current version.
      if (error instanceof ApiError && error.status < 500) await onChanged();
      throw error;
    }
    onClose();
    announce({ type: "success", title: done, description: providerName });
    await onRemoved(done);
  }, announceRefusal);
  const edit = () => {
    onClose();
    onEdit();
  };
  return isActive ? (
    <Confirmation
      title={title}
      action="Edit Provider"
      busyAction="Edit Provider"
      isBusy={false}
      failure={failure}
      onConfirm={edit}
      onCancel={onClose}
    >
      <chakra.p overflowWrap="anywhere">
        {`${providerName} is active. Deactivate it first: edit it, switch “Active” off and save. From then on it takes no calls, and requests of those in progress are refused.`}
      </chakra.p>
    </Confirmation>
  ) : (
    <Confirmation
      title={title}
      action="Delete"
      busyAction="Deleting..."
      isBusy={isBusy}
      failure={failure}
      isDangerous
      onConfirm={() => run()}
      onCancel={onClose}
    >
      <p>Are you sure you want to delete this voice provider?</p>
      <Consequences provider={provider} />
    </Confirmation>
  );
};

const Consequences = ({ provider: { providerName, providerType, isDefault } }: Pick<DeleteProviderProps, "provider">) => {
  const platform = platformNames[providerType];
  return (
    <chakra.p mt="3" overflowWrap="anywhere">
      {`${providerName} (${platform}) is deleted with its stored secrets and its webhook address; if you add it again, it gets another address. `}
      {isDefault ? "The organization then has no default provider. " : ""}
      {`Its calls stay in the log, and the account stays at ${platform}.`}
    </chakra.p>
  );
};
