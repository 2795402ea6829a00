import { piFamilyRows } from "./pi-family.ts";
import type { SeedRow } from "./seed-row.ts";

/** Seed 002. The shared text with its own folder; one heading and the list of source files are missing. */
export const pisces: readonly SeedRow[] = piFamilyRows({ prefix: "pisces", folder: ".pisces" });
