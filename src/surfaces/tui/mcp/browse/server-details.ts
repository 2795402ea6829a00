import type { Host, LogLine } from "../../../../index.ts";

/** How many items of a kind a server offers, and the names of the first ones. */
export interface OfferedNames {
  readonly count: number;
  readonly first: readonly string[];
}

export const NO_NAMES: OfferedNames = { count: 0, first: [] };

/** What a server offers and printed, as far as it is known without connecting. */
export interface ServerDetails {
  readonly tools: OfferedNames;
  readonly resources: OfferedNames;
  readonly prompts: OfferedNames;
  /** The last lines of its output. */
  readonly logs: readonly LogLine[];
}

/** Reads the details of the shown server again while it is shown. */
export interface DetailsReader {
  /** Returns the details as last read, and reads them if there are none. */
  of(server: string): ServerDetails | undefined;
  stop(): void;
}

const LOG_LINES = 50;
/** They take one row of the screen. */
const MOST_NAMES = 100;
/** How often the output is read again. */
const EVERY_MS = 500;

export function readDetails(
  host: Pick<Host, "tools" | "resources" | "prompts" | "doctor">,
  onChange: () => void,
): DetailsReader {
  let shown: string | undefined;
  let details: ServerDetails | undefined;
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;

  const read = async (server: string): Promise<void> => {
    const cached = { connect: false } as const;
    const [tools, resources, prompts, runs] = await Promise.all([
      host.tools(server, cached).catch(() => []),
      host.resources.list(server, cached).catch(() => []),
      host.prompts.list(server, cached).catch(() => []),
      host.doctor.logs(server, { lines: LOG_LINES }).catch(() => []),
    ]);
    if (isStopped || server !== shown) return;
    const next: ServerDetails = {
      tools: namesOf(tools, ({ tool }) => tool),
      resources: namesOf(resources, ({ uri }) => uri),
      prompts: namesOf(prompts, ({ name }) => name),
      logs: runs.at(-1)?.lines ?? [],
    };
    const isSame = JSON.stringify(next) === JSON.stringify(details);
    details = next;
    if (!isSame) onChange();
    timer = setTimeout(() => void read(server), EVERY_MS);
  };
  return {
    of(server) {
      if (server !== shown) {
        clearTimeout(timer);
        shown = server;
        details = undefined;
        void read(server);
      }
      return details;
    },
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}

function namesOf<T>(items: readonly T[], nameOf: (item: T) => string): OfferedNames {
  return { count: items.length, first: items.slice(0, MOST_NAMES).map(nameOf) };
}
