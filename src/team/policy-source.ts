import { type Principal, rightsKey } from "../access/index.ts";
import { createSerialQueue, isHostError, messageOf } from "../model/index.ts";
import type { Clock, Log } from "../platform/index.ts";
import { type PersonPolicy, type PolicyDocument, policyFor, readPolicy } from "../policy/index.ts";
import type { TeamStore } from "../store/index.ts";

/** Everything is denied until a policy is known. */
const NOTHING: PolicyDocument = { rules: [], otherwise: "deny" };
const MOST_PEOPLE = 10_000;
/** The delay before a policy that could not be read is read again. */
const RETRY_MS = 2_000;

/** The policy that applies now: that of the config file, or else the newest one in the store. */
export class PolicySource {
  readonly #store: Pick<TeamStore, "policies" | "revisions">;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #onChange: () => void;
  readonly #unsubscribe: () => void;
  readonly #enqueue = createSerialQueue();
  #stopTimer = (): void => {};
  #isClosed = false;
  #fromFile: PolicyDocument | undefined;
  #fromStore = NOTHING;
  #people = new Map<string, PersonPolicy>();
  /** The same for requests in progress, which ask many times. */
  #current = new WeakMap<Principal, PersonPolicy>();

  constructor(
    store: Pick<TeamStore, "policies" | "revisions">,
    { clock, log }: { readonly clock: Clock; readonly log: Log },
    onChange: () => void,
  ) {
    this.#store = store;
    this.#clock = clock;
    this.#log = log;
    this.#onChange = onChange;
    this.#unsubscribe = store.revisions.subscribe(({ kind }) => {
      if (kind === "policy") void this.refresh();
    });
  }

  /** Sets the policy of the config file, which replaces the one in the store. */
  configure(policy: PolicyDocument | undefined): void {
    this.#fromFile = policy;
    this.#changed();
  }

  /**
   * Reads the store's policy. If it is invalid, the last one still applies. If the store is unavailable, it also applies until the store
   * is back. One read at a time,
   * so that an earlier policy never replaces a later one.
   */
  refresh(): Promise<void> {
    return this.#enqueue(() => this.#read());
  }

  async #read(): Promise<void> {
    this.#stopTimer();
    try {
      const version = await this.#store.policies.current();
      const problems: string[] = [];
      const read =
        version &&
        readPolicy(
          version.document,
          "deny",
          (path, message) => void problems.push(`${path.join(".")} ${message}`),
        );
      if (version !== undefined && read === undefined)
        throw new Error(`revision ${version.revision} is invalid: ${problems.join("; ")}`);
      this.#fromStore = read ?? NOTHING;
      if (this.#fromFile === undefined) this.#changed();
    } catch (error) {
      this.#log.log("error", "policy.unreadable", { error: messageOf(error) });
      if (!isHostError(error, "STORE_UNAVAILABLE") || this.#isClosed) return;
      this.#stopTimer = this.#clock.after(RETRY_MS, () => void this.refresh(), { background: true });
    }
  }

  /** Whether the config file has the policy, so that it cannot be edited on a page. */
  get isFromFile(): boolean {
    return this.#fromFile !== undefined;
  }

  get document(): PolicyDocument {
    return this.#fromFile ?? this.#fromStore;
  }

  /** Returns the policy of a person and token. */
  for(principal: Principal): PersonPolicy {
    const current = this.#current.get(principal) ?? this.#find(principal);
    this.#current.set(principal, current);
    return current;
  }

  #find(principal: Principal): PersonPolicy {
    const { id, names, groups, token } = principal;
    const key = JSON.stringify([id, names, groups, token.name ?? "", rightsKey(principal)]);
    const known = this.#people.get(key);
    if (known !== undefined) return known;
    const person = { names, groups, token: token.name, scopes: token.granted };
    const created = policyFor(this.document, person);
    if (this.#people.size >= MOST_PEOPLE) this.#people.clear();
    this.#people.set(key, created);
    return created;
  }

  close(): void {
    this.#isClosed = true;
    this.#stopTimer();
    this.#unsubscribe();
  }

  #changed(): void {
    this.#people = new Map();
    this.#current = new WeakMap();
    this.#onChange();
  }
}
