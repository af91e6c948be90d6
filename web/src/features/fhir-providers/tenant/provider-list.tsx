import { Button } from "@chakra-ui/react/button";
import { SimpleGrid } from "@chakra-ui/react/simple-grid";
import { Skeleton } from "@chakra-ui/react/skeleton";
import { VisuallyHidden } from "@chakra-ui/react/visually-hidden";
import type { FhirProvider, TenantFhirProvider } from "@vitaline/contract";
import DatabaseZap from "lucide-react/dist/esm/icons/database-zap.mjs";
import type { Loaded } from "../../../lib/api/use-api.ts";
import { Empty } from "../../../components/feedback/empty.tsx";
import { Loadable } from "../../../components/feedback/loadable.tsx";
import { AuthorizeButton } from "../authorization.tsx";
import { ProviderCard } from "./provider-card.tsx";

type Props = {
  providers: Loaded<TenantFhirProvider[]>;
  own: readonly FhirProvider[];
  onAdd: () => void;
  onConfigure: (id: string) => void;
  onTest: (id: string) => void;
  authorize: (id: string) => Promise<{ url: string }>;
};

export const ProviderList = ({ providers, own, onAdd, onConfigure, onTest, authorize }: Props) => (
  <Loadable loaded={providers} what="FHIR providers" skeleton={<Skeletons />}>
    {(list) =>
      list.length === 0 ? (
        <Empty
          icon={DatabaseZap}
          title="No FHIR Providers"
          description="Connect the system that holds your patients' records, so that voice agents can look them up and book appointments."
        >
          <Button onClick={onAdd}>Add Your First Provider</Button>
        </Empty>
      ) : (
        <SimpleGrid columns={{ base: 1, lg: 2, "2xl": 3 }} gap="4">
          {list.map((provider) => {
            const { id, providerName } = provider;
            const isSignedInAt = own.find((one) => one.id === id && one.grant === "authorization_code");
            const isWaiting = isSignedInAt && !isSignedInAt.isAuthorized;
            return (
              <ProviderCard
                key={id}
                provider={provider}
                note={isWaiting ? "This record system is not authorized yet. Authorize it to use it." : undefined}
              >
                {isSignedInAt ? (
                  <AuthorizeButton name={providerName} isAuthorized={isSignedInAt.isAuthorized} begin={() => authorize(id)} />
                ) : null}
                <Button size="sm" variant="outline" onClick={() => onConfigure(id)}>
                  Configure
                  <VisuallyHidden>{` ${providerName}`}</VisuallyHidden>
                </Button>
                <Button size="sm" variant="outline" onClick={() => onTest(id)}>
                  Test
                  <VisuallyHidden>{` ${providerName}`}</VisuallyHidden>
                </Button>
              </ProviderCard>
            );
          })}
        </SimpleGrid>
      )
    }
  </Loadable>
);

const Skeletons = () => (
  <SimpleGrid columns={{ base: 1, lg: 2, "2xl": 3 }} gap="4" aria-hidden>
    <Skeleton h="72" />
    <Skeleton h="72" />
  </SimpleGrid>
);
