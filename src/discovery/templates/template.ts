import type { Path } from "../../documents/index.ts";
import type { InputRequest } from "../../model/index.ts";
import type { MappedEntry } from "../provider.ts";

/** A way to run a server that a person could choose: nothing is installed, nothing runs. */
export interface ServerTemplate extends MappedEntry {
  readonly name: string;
  readonly path: Path;
  /** What the person has to say first. */
  readonly inputs: readonly InputRequest[];
}
