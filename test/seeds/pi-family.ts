import { bridgeAndOperationRows } from "./pi-family-bridge-and-operation.ts";
import { configRows } from "./pi-family-config.ts";
import { discoveryAndValueRows } from "./pi-family-discovery-and-values.ts";
import { messageAndGuidanceRows } from "./pi-family-messages-and-guidance.ts";
import type { SeedRow, ShownBy } from "./seed-row.ts";

interface PiProduct {
  readonly prefix: string;
  /** The product's config folder, with its dot. */
  readonly folder: string;
  /** Tests for the rows that name the folder, by id without prefix ("2.09"). */
  readonly shownBy?: Readonly<Record<string, ShownBy>>;
}

/** Seeds 000 to 002 are one text with three folder names: a shared row turned to done is done in all three. */
export function piFamilyRows({ prefix, folder, shownBy = {} }: PiProduct): readonly SeedRow[] {
  const rows = [
    ...configRows(folder),
    ...discoveryAndValueRows(folder),
    ...bridgeAndOperationRows,
    ...messageAndGuidanceRows,
  ];
  return rows.map((row) => {
    const own = shownBy[row.id];
    return { ...row, id: `${prefix}-${row.id}`, ...(own && { shownBy: own }) };
  });
}
