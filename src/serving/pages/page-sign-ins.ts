import { isHostError, messageOf } from "../../model/index.ts";
import type { HostSignIns } from "../../operations/index.ts";
import { type Clock, settledWithin } from "../../platform/index.ts";
import type { SignInProgress, SignInRequest } from "./api/approval-documents.ts";
import { PageFailure, unknownItem } from "./page-failure.ts";
import { randomId } from "./page-sessions.ts";

const MOST_RUNNING = 8;
/** How long ended sign-ins are shown. */
const SHOWN_MS = 10 * 60_000;
/** How long a page waits for the address before it asks again. */
const START_MS = 15_000;

interface Running {
  progress: SignInProgress;
  readonly account: string | undefined;
  cancel(): void;
}

/** The dependencies of sign-ins. */
export interface PageSignInDeps {
  readonly clock: Clock;
  readonly signIns: Pick<HostSignIns, "login">;
  /** Called when one made progress. */
  onChange(): void;
}

/** The sign-ins that pages started. The person's browser opens the authorization server's page and returns to this machine. */
export class PageSignIns {
  readonly #deps: PageSignInDeps;
  readonly #known = new Map<string, Running>();

  constructor(deps: PageSignInDeps) {
    this.#deps = deps;
  }

  /** Starts a sign-in, or returns the one that is running. Resolves when its address is known or it failed, but soon in any case. */
  async start({ server, account }: SignInRequest): Promise<SignInProgress> {
    const open = Array.from(this.#known.values()).filter(({ progress }) => isOpen(progress));
    const same = open.find((one) => one.progress.server === server && one.account === account);
    if (same !== undefined) return same.progress;
    if (open.length >= MOST_RUNNING)
      throw new PageFailure(429, "PAGE_BUSY", "Too many sign-ins are running.");
    const id = randomId().slice(0, 16);
    const abort = new AbortController();
    const running: Running = {
      progress: { id, server, state: "starting" },
      account,
      cancel: () => abort.abort(),
    };
    this.#known.set(id, running);
    let showAddress = (): void => {};
    const shown = new Promise<void>((resolve) => {
      showAddress = resolve;
    });
    const update = (progress: Partial<SignInProgress>): void => {
      running.progress = { ...running.progress, ...progress };
      this.#deps.onChange();
    };
    const signIn = this.#deps.signIns
      .login(server, {
        ...(account !== undefined && { account }),
        browser: false,
        signal: abort.signal,
        onSignIn(url, { userCode }) {
          if (!isOpenable(url)) throw new Error("The address of the authorization server is not a web page.");
          update({ state: "waiting", url, ...(userCode !== undefined && { userCode }) });
          showAddress();
        },
      })
      .then(
        () => update({ state: "done" }),
        (error: unknown) => update({ state: "failed", because: reasonOf(error, abort.signal) }),
      )
      .finally(() => {
        this.#deps.clock.after(SHOWN_MS, () => this.#known.delete(id), { background: true });
      });
    await settledWithin(this.#deps.clock, START_MS, Promise.race([shown, signIn]));
    return running.progress;
  }

  get(id: string): SignInProgress {
    return this.#find(id).progress;
  }

  cancel(id: string): void {
    this.#find(id).cancel();
  }

  all(): SignInProgress[] {
    return Array.from(this.#known.values(), ({ progress }) => progress);
  }

  #find(id: string): Running {
    const running = this.#known.get(id);
    if (running === undefined) throw unknownItem("There is no such sign-in.");
    return running;
  }
}

function isOpen({ state }: SignInProgress): boolean {
  return state === "starting" || state === "waiting";
}

/** Another scheme could run a program. Authorization servers without TLS are possible on this machine only. */
function isOpenable(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname } = new URL(text);
  const isLoopback = hostname === "localhost" || hostname === "[::1]" || hostname.startsWith("127.");
  return protocol === "https:" || (protocol === "http:" && isLoopback);
}

function reasonOf(error: unknown, { aborted }: AbortSignal): string {
  if (aborted) return "Cancelled.";
  const hint = isHostError(error) && error.hint !== undefined ? ` ${error.hint}` : "";
  return `${messageOf(error)}${hint}`;
}
