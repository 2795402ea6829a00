import type { DiscoveryProvider } from "../provider.ts";
import { createOmpFork } from "./omp-fork.ts";

/** pisces, a fork of oh-my-pi: `.pisces`. */
export const pisces: DiscoveryProvider = createOmpFork({
  id: "pisces",
  label: "pisces",
  priority: 94,
  folder: ".pisces",
});
