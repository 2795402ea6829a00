import type { DiscoveryProvider } from "../provider.ts";
import { createOmpFork } from "./omp-fork.ts";

/** xcsh, a fork of oh-my-pi: `.xcsh`. */
export const xcsh: DiscoveryProvider = createOmpFork({
  id: "xcsh",
  label: "xcsh",
  priority: 96,
  folder: ".xcsh",
});
