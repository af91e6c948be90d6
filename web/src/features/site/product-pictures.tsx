/// <reference types="vite/client" />
import { SimpleGrid } from "@chakra-ui/react/simple-grid";
import { chakra } from "@chakra-ui/react/styled-system";
import { pictures, pictureSize } from "./content/pictures.ts";

const files = import.meta.glob<string>("./pictures/*.webp", { eager: true, query: "?url", import: "default" });

const modes = [
  { mode: "light", display: { base: "block", _dark: "none" } },
  { mode: "dark", display: { base: "none", _dark: "block" } },
] as const;

/** Of the two colors a browser loads the visible one alone, because the images are lazy. */
const ProductPictures = () => (
  <SimpleGrid columns={{ base: 1, md: 2 }} gap={{ base: "8", md: "10" }}>
    {pictures.map(({ name, title, alt }) => (
      <chakra.figure key={name}>
        {modes.map(({ mode, display }) => (
          <chakra.img
            key={mode}
            src={files[`./pictures/${name}-${mode}.webp`]}
            alt={alt}
            htmlWidth={pictureSize.width}
            htmlHeight={pictureSize.height}
            loading="lazy"
            decoding="async"
            display={display}
            w="full"
            h="auto"
            borderWidth="1px"
            borderColor="border"
            borderRadius="l3"
            boxShadow="lg"
          />
        ))}
        <chakra.figcaption mt="3" fontWeight="semibold">
          {title}
        </chakra.figcaption>
      </chakra.figure>
    ))}
  </SimpleGrid>
);

export default ProductPictures;
