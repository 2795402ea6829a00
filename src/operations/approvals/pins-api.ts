import type { WaitOptions } from "../../model/index.ts";
import type { PinReport } from "./tool-pins.ts";

/** Pins: the tool definitions that a person has reviewed. A tool that changes afterwards is withheld. */
export interface HostPins {
  /** Compares the tools of one server, or of all, with their pinned versions. Connects if no list is cached. */
  review(server?: string, options?: WaitOptions): Promise<PinReport[]>;
  /** Records that a person reviewed the tools with this hash. */
  accept(server: string, hash: string, options?: WaitOptions): Promise<PinReport>;
}
