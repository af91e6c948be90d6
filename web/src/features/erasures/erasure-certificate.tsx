import { Button } from "@chakra-ui/react/button";
import { Stack } from "@chakra-ui/react/stack";
import { chakra } from "@chakra-ui/react/styled-system";
import type { ErasureDetail } from "@vitaline/contract";
import { CodeBlock } from "../../components/data/copy-button.tsx";
import { Disclosure } from "../../components/layout/disclosure.tsx";
import { download } from "../../lib/dom/download.ts";
import { certificateFile, fileName, howToVerify } from "./certificate-file.ts";
import { Part } from "./part.tsx";

/** The proof that it was erased, to be kept; nothing before there is one. */
export const ErasureCertificate = ({ erasure: { id, certificate } }: { erasure: ErasureDetail }) =>
  certificate === null ? null : (
    <Part title="Certificate">
      <chakra.p>Proof of this erasure for your files: what was erased, when, and who asked for it.</chakra.p>
      <Button size="sm" variant="outline" onClick={() => download(fileName(id), "application/json", certificateFile(certificate))}>
        Download certificate
      </Button>
      <chakra.div w="full" minW="0">
        <Disclosure title="Show the certificate and how to verify it">
          <Stack gap="4">
            <chakra.p>{howToVerify}</chakra.p>
            <CodeBlock label="Certificate (JWS)" text={certificate.jws} />
            <CodeBlock label="Public key (JWK)" text={JSON.stringify(certificate.key, null, 2)} />
          </Stack>
        </Disclosure>
      </chakra.div>
    </Part>
  );
