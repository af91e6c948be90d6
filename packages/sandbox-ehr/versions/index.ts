import { dstu2 } from "./dstu2/index.ts";
import { r4 } from "./r4.ts";
import { stu3 } from "./stu3/index.ts";
import type { FhirVersion, Version } from "./version.ts";

export const versions: Record<FhirVersion, Version> = { R4: r4, STU3: stu3, DSTU2: dstu2 };
