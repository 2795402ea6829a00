import type { HostListener, Problem } from "../../model/index.ts";
import type {
  HostApprovals,
  HostConfig,
  HostDoctor,
  HostPins,
  HostSecrets,
  HostSignIns,
  ServerView,
} from "../../operations/index.ts";

/** The part of the host that pages use. `open-serving.ts` provides it. */
export interface PageHost {
  servers(): ServerView[];
  snapshot(): { readonly problems: readonly Problem[] };
  subscribe(listener: HostListener): () => void;
  readonly approvals: HostApprovals;
  readonly pins: HostPins;
  readonly signIns: HostSignIns;
  readonly secrets: HostSecrets;
  readonly config: HostConfig;
  readonly doctor: HostDoctor;
}
