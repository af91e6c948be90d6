import type { FhirResource } from "fhir/r4.js";
import { Refusal } from "../refusal.ts";
import { isResourceType, type Resource, type ResourceOf, type ResourceType } from "../resource.ts";
import { shapeCheck, type Shapes } from "./shape.ts";
import { systemBeforeR4, systemOfR4 } from "./systems.ts";
import type { NativeResource, Surroundings, Version } from "./version.ts";

type Outward = { [T in ResourceType]?: (resource: ResourceOf<T>, around: Surroundings) => object };

interface Parts extends Pick<Version, "name" | "fhirVersion" | "mediaType" | "paramNames" | "joinedParams" | "sortsByModifier"> {
  /** How each type is said; one that is not in here does not exist in this version. */
  outward: Outward;
  /** What types are called whose name has changed. */
  renamed: Partial<Record<ResourceType, string>>;
  /** By native name: what can be written. */
  inward: Record<string, (native: never) => FhirResource>;
  shapes: Shapes;
}

/** A version before R4, put together from its parts. */
export function olderVersion({ outward, renamed, inward, shapes, ...rest }: Parts): Version {
  const check = shapeCheck(shapes);
  const toNative = (resource: FhirResource, around: Surroundings): object => {
    const { resourceType: type } = resource;
    const translate = isResourceType(type)
      ? (outward[type] as ((one: FhirResource, around: Surroundings) => object) | undefined)
      : undefined;
    if (!translate) return resource;
    const native = translate(resource, around) as { contained?: FhirResource[] };
    return native.contained ? { ...native, contained: native.contained.map((one) => toNative(one, around)) } : native;
  };
  return {
    ...rest,
    typeName: (type) => (outward[type] ? (renamed[type] ?? type) : undefined),
    toNative,
    toR4(native: NativeResource) {
      const translate = inward[native.resourceType];
      if (!translate) throw new Refusal(405, "not-supported", `${native.resourceType} cannot be written here`);
      check(native.resourceType, native);
      return translate(native as never) as Resource;
    },
    systemToNative: systemBeforeR4,
    systemToR4: systemOfR4,
  };
}
