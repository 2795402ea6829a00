import type { DiscoveryProvider } from "../provider.ts";
import { createOmpFork } from "./omp-fork.ts";

/** oh-my-pi: `.omp`. */
export const omp: DiscoveryProvider = createOmpFork({
  id: "omp",
  label: "oh-my-pi",
  priority: 98,
  folder: ".omp",
  profiles: ["OMP_PROFILE", "PI_PROFILE"],
});
