import { createEventHub, type EventHub, HostError, Redactor } from "./model/index.ts";
import {
  type HostScope,
  type Inventory,
  inventoryWith,
  logEvent,
  type ReloadOptions,
  readInventoryFor,
  reloadServers,
} from "./operations/index.ts";
import { redactedLog } from "./platform/index.ts";
import { type HostParts, type OwnedWorkspace, wireWorkspace } from "./wire-workspace.ts";

/** The idle time after which a principal's connections close, unless the entry sets another. */
export const PRINCIPAL_IDLE_MS = 600_000;

const LONGEST_NAME = 256;

/** A person that a host serves besides its own user. */
export interface Person extends HostScope {
  readonly principal: string;
  readonly owned: OwnedWorkspace;
  /** Called when connections were opened or closed. */
  onChange(): void;
}

/** The principals of a host. Each has its own workspace, so that no cache can mix up two people. */
export interface Principals {
  /** Returns a principal's workspace. Throws if the name is invalid. */
  of(principal: string): Person;
  /** Applies changes of the config files. */
  reload(options?: ReloadOptions): Promise<void>;
  /** Closes the connections to one server, or all. */
  close(server?: string): Promise<void>;
}

export interface PrincipalsOptions extends Pick<HostScope, "whileOpen"> {
  readonly parts: HostParts;
  readonly events: EventHub;
  /** Returns what the config files declare now. */
  declared(): Inventory["declared"];
}

export function createPrincipals(options: PrincipalsOptions): Principals {
  /** Principals that are not in use are collected as garbage. */
  const known = new Map<string, WeakRef<Person>>();
  const forgotten = new FinalizationRegistry((principal: string) => {
    if (known.get(principal)?.deref() === undefined) known.delete(principal);
  });
  /** Principals with open connections. */
  const connected = new Set<Person>();
  const everyone = (): Person[] => [...known.values()].flatMap((reference) => reference.deref() ?? []);
  return {
    of(principal) {
      const before = known.get(principal)?.deref();
      if (before !== undefined) return before;
      assertValid(principal);
      assertNoRecording(options.parts);
      const person = createPerson(options, principal, connected);
      known.set(principal, new WeakRef(person));
      forgotten.register(person, principal);
      return person;
    },
    async reload(reloadOptions) {
      await Promise.all(everyone().map(({ workspace }) => reloadServers(workspace, reloadOptions)));
    },
    async close(server) {
      await Promise.all(everyone().map(({ owned }) => owned.close(server)));
    },
  };
}

function createPerson(
  { parts, events: hostEvents, declared, whileOpen }: PrincipalsOptions,
  principal: string,
  connected: Set<Person>,
): Person {
  const { source, onListenerError } = parts;
  const records = source.recordsOf(principal);
  const redactor = new Redactor();
  const events = createEventHub(onListenerError);
  const ports = { ...source.ports, log: redactedLog(source.ports.log, redactor) };
  events.subscribe((event) => {
    if (parts.isLogged) logEvent(ports.log, event);
    hostEvents.publish({ ...event, principal });
  });
  // Until the approvals are read, nothing counts as approved.
  let inventory = inventoryWith(source, declared(), []);
  let lastReading: Promise<unknown> = Promise.resolve();
  const owned = wireWorkspace(parts, {
    principal,
    ports,
    redactor,
    events,
    records,
    cache: records.catalogs,
    idleStopMs: PRINCIPAL_IDLE_MS,
    onChange: () => person.onChange(),
    inventory: () => inventory,
    readAgain() {
      const reading = lastReading.then(async () => {
        const before = inventory;
        inventory = await readInventoryFor(source, declared(), records);
        return { before, after: inventory };
      });
      lastReading = reading.catch(() => undefined);
      return reading;
    },
    reload: (options) => reloadServers(owned.workspace, options),
  });
  const { workspace } = owned;
  let ready: Promise<unknown> | undefined;
  const person: Person = {
    principal,
    owned,
    workspace,
    onChange() {
      const { supervisor, accounts } = workspace;
      const isInUse = supervisor.inUse().length > 0 || accounts.isInUse();
      if (isInUse || Array.from(owned.scopes).some((scope) => scope.isInUse())) connected.add(person);
      else connected.delete(person);
    },
    whileOpen: (operation, waiting) =>
      whileOpen(async () => {
        ready ??= workspace.readAgain().catch((error: unknown) => {
          ready = undefined;
          throw error;
        });
        try {
          await ready;
          return await operation();
        } catch (error) {
          redactor.redactError(error);
          throw error;
        } finally {
          person.onChange();
        }
      }, waiting),
  };
  return person;
}

/** A recording does not distinguish principals: one would get the results of another. */
function assertNoRecording({ recorder, replay }: HostParts): void {
  if ((recorder ?? replay) !== undefined)
    throw new HostError("USAGE_INVALID", "A host that records or replays calls has no principals.");
}

/** Names become file names, database keys and log fields, where two different names must stay different. */
function assertValid(principal: string): void {
  if (
    typeof principal === "string" &&
    principal !== "" &&
    principal.length <= LONGEST_NAME &&
    !/[\p{Cc}\p{Cs}]/u.test(principal)
  )
    return;
  throw new HostError(
    "USAGE_INVALID",
    "A principal must be a text of 1 to 256 characters without control characters.",
  );
}
