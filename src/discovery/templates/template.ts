import type { Path } from "../../documents/index.ts";
import type { InputRequest } from "../../model/index.ts";
import type { MappedEntry } from "../provider.ts";

/** A way to run a server that the user can choose. Nothing is installed or started. */
export interface ServerTemplate extends MappedEntry {
  readonly name: string;
  readonly path: Path;
  /** The inputs that the user must provide first. */
  readonly inputs: readonly InputRequest[];
}
