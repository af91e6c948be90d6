import { Button } from "@chakra-ui/react/button";
import { Flex } from "@chakra-ui/react/flex";
import { type CallView, callViews, ViewName } from "@vitaline/contract";
import { useRef, useState } from "react";
import { useSearchParams } from "react-router-dom";
import * as z from "zod/mini";
import { TextField } from "../../../components/form/fields.tsx";
import { FormFrame } from "../../../components/form/form-frame.tsx";
import { InlineSelect } from "../../../components/form/inline-select.tsx";
import { DialogButtons } from "../../../components/dialog/dialog-footer.tsx";
import { Dialog } from "../../../components/dialog/dialog.tsx";
import { explain, isStale } from "../../../lib/api/api-error.ts";
import { call } from "../../../lib/api/call.ts";
import { useAction } from "../../../lib/api/use-action.ts";
import { useApi } from "../../../lib/api/use-api.ts";
import { useRefresh } from "../../../lib/api/use-refresh.ts";
import { useRequestForm } from "../../../lib/forms/use-request-form.ts";
import { announce } from "../../../lib/toast.ts";
import { withAllTime } from "../page-range.ts";
import { type CallFilter, fromSavedFilter, hasFilters, toSavedFilter, writeCallFilter } from "./call-filter.ts";

type Props = { shown: CallFilter; today: string };

const keyOf = (view: Omit<CallView, "name">, today: string): string => JSON.stringify(fromSavedFilter(view, today));

/** A view without days is of any time, also on a page that showed some days. */
const atAnyTimeWithoutDays = (search: URLSearchParams): URLSearchParams =>
  search.has("from") || search.has("to") ? search : withAllTime(search);

/** The user's own filters, kept at the server for every device. */
export const SavedViews = ({ shown, today }: Props) => {
  const [, setSearch] = useSearchParams();
  const { data } = useApi(callViews.readCallViews, {});
  const refresh = useRefresh();
  const picker = useRef<HTMLSelectElement>(null);
  const [isNaming, setIsNaming] = useState(false);
  const save = async (views: CallView[]): Promise<void> => {
    await call(callViews.saveCallViews, { body: { views } }, { ifMatch: data?.version ?? 1 });
    await refresh(callViews.readCallViews);
  };
  const now = toSavedFilter(shown, today);
  const views = data?.views ?? [];
  const chosen = views.find((view) => keyOf(view, today) === keyOf(now, today));
  const deletion = useAction(async () => {
    await save(views.filter((view) => view !== chosen));
    announce({ type: "success", title: "View deleted" });
    // The pressed button disappears.
    (picker.current ?? document.querySelector<HTMLElement>("[data-save-view]"))?.focus();
  });
  if (data === undefined) return null;
  const isNew = chosen === undefined && hasFilters(shown);
  if (views.length === 0 && !isNew) return null;
  return (
    <Flex gap="2" wrap="wrap" align="center">
      {views.length === 0 ? null : (
        <InlineSelect
          ref={picker}
          label="Saved views"
          value={chosen?.name ?? ""}
          options={[["", "Saved views"], ...views.map(({ name }) => [name, name] as const)]}
          onPick={(name) => {
            const view = views.find((one) => one.name === name);
            if (view) setSearch((before) => atAnyTimeWithoutDays(writeCallFilter(before, fromSavedFilter(view, today))));
          }}
        />
      )}
      {isNew ? (
        <Button size="sm" variant="ghost" data-save-view onClick={() => setIsNaming(true)}>
          Save this view
        </Button>
      ) : null}
      {chosen === undefined ? null : (
        <Button size="sm" variant="ghost" aria-disabled={deletion.isBusy} onClick={deletion.run}>
          {deletion.isBusy ? "Deleting..." : `Delete view`}
        </Button>
      )}
      {isNaming ? (
        <NameDialog
          onClose={() => setIsNaming(false)}
          onSave={async (name) => {
            await save([...views, { name, ...now }]);
            setIsNaming(false);
            announce({ type: "success", title: "View saved" });
          }}
        />
      ) : null}
    </Flex>
  );
};

const Name = z.object({ name: ViewName });
const conflictMessage = "Your views were changed in another window. Close this and try again.";

const NameDialog = ({ onSave, onClose }: { onSave: (name: string) => Promise<void>; onClose: () => void }) => {
  const { field, submit, isBusy, failure } = useRequestForm<z.infer<typeof Name>>({
    schema: Name,
    defaultValues: { name: "" },
    send: ({ name }) => onSave(name),
    refuse: (error) => (isStale(error) ? conflictMessage : explain(error)),
  });
  return (
    <Dialog title="Save this view" description="Saves the current filters. Only you see them, on any device." onClose={onClose}>
      <FormFrame onSubmit={submit} failure={failure}>
        <TextField label="Name" maxLength={60} autoComplete="off" hint="Do not enter patient names or numbers." {...field("name")} />
        <DialogButtons isBusy={isBusy} action="Save view" busyAction="Saving..." onCancel={onClose} />
      </FormFrame>
    </Dialog>
  );
};
