import { bridgeAndOperationRows } from "./pi-family-bridge-and-operation.ts";
import { configRows } from "./pi-family-config.ts";
import { discoveryAndValueRows } from "./pi-family-discovery-and-values.ts";
import { messageAndGuidanceRows } from "./pi-family-messages-and-guidance.ts";
import type { SeedRow } from "./seed-row.ts";

interface PiProduct {
  readonly prefix: string;
  /** The product's config folder, with its dot. */
  readonly folder: string;
}

/** Seeds 000 to 002 are one text with three folder names: a shared row that is done is done in all three. */
export function piFamilyRows({ prefix, folder }: PiProduct): readonly SeedRow[] {
  return [
    ...configRows(folder),
    ...discoveryAndValueRows(folder),
    ...bridgeAndOperationRows,
    ...messageAndGuidanceRows,
  ].map((row) => ({ ...row, id: `${prefix}-${row.id}` }));
}
