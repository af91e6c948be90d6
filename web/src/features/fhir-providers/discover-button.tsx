import { Button } from "@chakra-ui/react/button";
import { useToldAction } from "../../lib/api/use-action.ts";
import { announce } from "../../lib/toast.ts";
import { Failure } from "../../components/feedback/notices.tsx";
import { asTyped, type ProviderFieldsProps } from "./provider-fields.ts";

type Props = Pick<ProviderFieldsProps, "form"> & { discover: NonNullable<ProviderFieldsProps["discover"]> };

/** Fills in what a server says of itself. */
export const DiscoverButton = ({ form, discover }: Props) => {
  const { run, isBusy, failure } = useToldAction(async () => {
    if (!(await form.trigger("baseUrl", { shouldFocus: true }))) return;
    const { authUrl, tokenUrl, scopes } = await discover(form.getValues("baseUrl"));
    if (authUrl) form.setValue("authUrl", authUrl, asTyped);
    if (tokenUrl) form.setValue("tokenUrl", tokenUrl, asTyped);
    if (scopes) form.setValue("scopes", scopes, asTyped);
    announce({ type: "success", title: "Server found", description: "Its addresses and scopes are filled in under OAuth Config." });
  });
  return (
    <>
      <Failure text={failure} />
      <Button size="sm" variant="outline" alignSelf="flex-start" aria-disabled={isBusy} onClick={run}>
        {isBusy ? "Discovering..." : "Discover addresses and scopes"}
      </Button>
    </>
  );
};
