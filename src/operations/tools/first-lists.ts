import type { KnownCatalog } from "../../catalog/index.ts";
import type { ConnectionState } from "../../connection/index.ts";
import { isHostError, type MissingTools, messageOf, type Server } from "../../model/index.ts";
import { type Clock, elapsed, settledWithin } from "../../platform/index.ts";
import { unknownServer } from "../lifecycle/find-server.ts";
import { refusalOf } from "../lifecycle/use-server.ts";
import { isSessionOwned } from "../principals/share.ts";
import { catalogSubject, type Workspace } from "../workspace.ts";
import { LONGEST_MS } from "./within-timeout.ts";

/** How long listing tools waits for servers without a list, unless the caller says otherwise. */
const WAIT_MS = 2_000;

/** How long to wait before a server that could not list its tools is tried again. The wait doubles with every failure. */
const BACK_OFF = { firstMs: 5_000, longestMs: 300_000 } as const;

/** The attempts to read the first list of one server. */
interface Attempts {
  /** The attempt in progress. Resolves when it has ended. Never rejects. */
  reading: Promise<void> | undefined;
  /** How long a caller has waited for the attempt in progress. Later callers do not wait that long again. */
  waitedMs: number;
  /** Whether a caller continued without the tools and must be notified when they arrive. */
  isLate: boolean;
  failure: Failure | undefined;
}

interface Failure {
  readonly count: number;
  readonly missing: MissingTools;
  /** Measured with a clock that is never set back. */
  readonly retryAfter: number;
  /** The server's state at that time. */
  readonly state: ConnectionState | undefined;
}

/** Keyed by the server's entry, so that a reload forgets all failures. */
type AttemptsByServer = WeakMap<Server, Attempts>;

const attemptsByOwner = new WeakMap<object, AttemptsByServer>();

/** Returns the attempts over one connection. A session with its own connection has its own lists, and may be refused where others are not. */
function attemptsOf(workspace: Workspace, server: Server): AttemptsByServer {
  const owner = isSessionOwned(workspace, server.name) ? workspace : workspace.events;
  const before = attemptsByOwner.get(owner);
  if (before !== undefined) return before;
  const attempts: AttemptsByServer = new WeakMap();
  attemptsByOwner.set(owner, attempts);
  return attempts;
}

/**
 * Returns a server's cached lists. If there are none, starts reading them and waits at most `waitMs`. Returns `undefined` if they are
 * not known by then, or if the server failed and it is too early to try again.
 */
export async function readFirstList(
  workspace: Workspace,
  server: Server,
  waitMs: number | undefined,
): Promise<KnownCatalog | undefined> {
  const subject = catalogSubject(server);
  const { clock } = workspace.ports;
  const begin = elapsed(clock);
  const known = await workspace.catalogs.current(subject);
  if (known !== undefined) return known;
  const cacheMs = elapsed(clock) - begin; // a program's store may be slow
  const attempts = attemptsOf(workspace, server);
  const mine = attempts.get(server) ?? {
    reading: undefined,
    waitedMs: 0,
    isLate: false,
    failure: undefined,
  };
  attempts.set(server, mine);
  if (mine.reading === undefined) {
    if (mine.failure !== undefined && hasRecovered(workspace, server, mine.failure)) mine.failure = undefined;
    if (mine.failure !== undefined && elapsed(clock) < mine.failure.retryAfter) return undefined;
    mine.reading = read(workspace, server, mine);
  }
  // By default, no caller waits for a server that failed before.
  const limitMs = waitMs ?? (mine.failure === undefined ? WAIT_MS : 0);
  await waitFor(workspace, mine, Math.max(0, limitMs - cacheMs));
  return workspace.catalogs.current(subject);
}

/** Returns the servers whose tools were requested and are not known, and those of `names` that may not run or do not exist. */
export function missingTools(workspace: Workspace, names: readonly string[] = []): MissingTools[] {
  const { inventory, catalogs } = workspace;
  const { servers } = inventory();
  const unusable = [...new Set(names)].flatMap((name) => {
    const server = servers.get(name);
    const error = server === undefined ? unknownServer(name, servers) : refusalOf(workspace, server);
    return error === undefined ? [] : [{ server: name, ...describeError(error) }];
  });
  const unread = [...servers.values()].flatMap((server) => {
    const mine = attemptsOf(workspace, server).get(server);
    if (mine === undefined || catalogs.inMemory(catalogSubject(server)) !== undefined) return [];
    const { reading, failure } = mine;
    return [reading !== undefined || failure === undefined ? { server: server.name } : failure.missing];
  });
  return [...unusable, ...unread.filter(({ server }) => !unusable.some((other) => other.server === server))];
}

function describeError(error: unknown): Pick<MissingTools, "because" | "errorCode" | "hint"> {
  const { code, hint } = isHostError(error) ? error : {};
  return {
    because: messageOf(error),
    ...(code && { errorCode: code }),
    ...(hint !== undefined && { hint }),
  };
}

async function read(workspace: Workspace, server: Server, mine: Attempts): Promise<void> {
  let isKnown = false;
  try {
    await workspace.catalogs.refresh(catalogSubject(server));
    isKnown = true;
    attemptsOf(workspace, server).delete(server);
  } catch (error) {
    mine.failure = failureAfter(workspace, server, mine.failure, error);
  }
  const { isLate } = mine;
  Object.assign(mine, { reading: undefined, waitedMs: 0, isLate: false });
  if (isLate && isKnown) workspace.toolsChanged(server.name);
}

function failureAfter(
  { ports: { clock }, supervisor }: Workspace,
  { name }: Server,
  last: Failure | undefined,
  error: unknown,
): Failure {
  const count = (last?.count ?? 0) + 1;
  const waitMs = Math.min(BACK_OFF.firstMs * 2 ** (count - 1), BACK_OFF.longestMs);
  return {
    count,
    missing: {
      server: name,
      ...describeError(error),
      nextTry: new Date(clock.now() + waitMs).toISOString(),
    },
    retryAfter: elapsed(clock) + waitMs,
    state: supervisor.state(name),
  };
}

/** Returns whether a server was started, stopped or signed in to since its failure, so that another attempt may succeed. */
function hasRecovered({ supervisor }: Workspace, { name }: Server, failure: Failure): boolean {
  const state = supervisor.state(name);
  return state !== failure.state && !(state !== undefined && "error" in state);
}

/** Reads a server's lists again. If that takes longer than `waitMs`, returns the lists as they were. */
export async function refreshList(
  { catalogs, ports: { clock } }: Workspace,
  server: Server,
  waitMs: number | undefined,
): Promise<KnownCatalog | undefined> {
  const subject = catalogSubject(server);
  const reading = catalogs.refresh(subject);
  if (waitMs === undefined) return reading;
  await settled(clock, waitMs, reading);
  return catalogs.current(subject);
}

async function waitFor({ ports: { clock } }: Workspace, mine: Attempts, limitMs: number): Promise<void> {
  const { reading } = mine;
  if (reading === undefined) return;
  const waitMs = limitMs - mine.waitedMs;
  if (waitMs > 0) await settled(clock, waitMs, reading);
  if (mine.reading !== reading) return;
  mine.waitedMs = Math.max(mine.waitedMs, limitMs);
  mine.isLate = true;
}

/** Waits for the work, but at most this long. `Infinity` waits without a limit. */
async function settled(clock: Clock, ms: number, work: Promise<unknown>): Promise<void> {
  if (ms < LONGEST_MS) return settledWithin(clock, ms, work);
  await work.catch(() => undefined);
}
