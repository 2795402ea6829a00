import type { HttpFault } from "./fault.ts";
import { HTTP_CALL_FAULTS } from "./http-call-faults.ts";
import { HTTP_CONNECT_FAULTS } from "./http-connect-faults.ts";
import { HTTP_LASTING_FAULTS, SSE_FAULTS } from "./http-lasting-faults.ts";

const streamable = [...HTTP_CONNECT_FAULTS, ...HTTP_CALL_FAULTS, ...HTTP_LASTING_FAULTS];

/** Every fault in every era it applies to, with the era in its name. */
export const HTTP_FAULTS: readonly HttpFault[] = [
  ...streamable.flatMap(({ eras = ["legacy", "modern"], ...fault }) =>
    eras.map((era) => ({
      ...fault,
      name: eras.length === 1 ? fault.name : `${fault.name} (${era})`,
      server: { ...fault.server, era },
    })),
  ),
  ...SSE_FAULTS.map((fault) => ({ ...fault, name: `${fault.name} (sse)` })),
];

/** The number of faults without regard to the era. */
export const DISTINCT_HTTP_FAULTS: number = streamable.length + SSE_FAULTS.length;
