import type { VNode } from "preact";
import type { Done, SignInProgress, SignInRequest } from "../../../page-api.ts";
import { useRight } from "../gateway/context.ts";
import { pathOf, send } from "../gateway/request.ts";
import { useAction } from "../gateway/use-action.ts";
import { ActionButton } from "../parts/button.tsx";
import { CopyButton } from "../parts/copy.tsx";
import { Icon } from "../parts/icon.tsx";
import { Failure } from "../parts/notice.tsx";

const LOOPBACK = new Set(["127.0.0.1", "localhost", "[::1]"]);

interface SignInProps {
  readonly server: string;
  readonly progress: SignInProgress | undefined;
  readonly isNeeded: boolean;
}

/** Starts a sign-in, links to the authorization server's page, and shows the progress. */
export function SignIn({ server, progress, isNeeded }: SignInProps): VNode | null {
  const action = useAction();
  const canChange = useRight("connections.change");
  const isRunning = progress?.state === "starting" || progress?.state === "waiting";
  const start = (): void => {
    const body: SignInRequest = { server };
    action.run(
      () => send<SignInProgress>("connections/sign-in", body),
      () => `The sign-in to ${server} has started.`,
    );
  };
  const cancel = (id: string): void =>
    action.run(
      () => send<Done>(`${pathOf("connections", "sign-ins", id)}/cancel`),
      () => "The sign-in is cancelled.",
    );
  return (
    <div class="sign-in">
      <div aria-live="polite">{progress === undefined ? null : <Progress progress={progress} />}</div>
      {canChange ? (
        <div class="actions">
          {isRunning && progress !== undefined ? (
            <ActionButton
              isBusy={action.isRunning}
              onClick={() => cancel(progress.id)}
              about={`the sign-in to ${server}`}
            >
              Cancel
            </ActionButton>
          ) : isNeeded || progress?.state === "failed" ? (
            <ActionButton
              kind="primary"
              icon="lock"
              isBusy={action.isRunning}
              onClick={start}
              about={`to ${server}`}
            >
              {progress?.state === "failed" ? "Try again" : "Sign in"}
            </ActionButton>
          ) : null}
        </div>
      ) : null}
      <Failure failure={action.failure} what={`Could not sign in to ${server}.`} />
    </div>
  );
}

function Progress({ progress }: { readonly progress: SignInProgress }): VNode {
  const { state, url, userCode, because, server } = progress;
  if (state === "done") return <p class="good-text">You are signed in to {server}.</p>;
  if (state === "failed") return <p class="bad-text">The sign-in failed. {because ?? ""}</p>;
  const link = safeLink(url);
  return (
    <>
      {userCode === undefined ? null : (
        <p>
          Enter this code: <code class="user-code">{userCode}</code>{" "}
          <CopyButton text={userCode} what="the code" />
        </p>
      )}
      {link === undefined ? (
        <p class="soft">
          {url === undefined
            ? "Starting the sign-in…"
            : "The sign-in page has an address that cannot be opened."}
        </p>
      ) : (
        <p>
          <a class="button primary" href={link.href} target="_blank" rel="noopener noreferrer">
            <Icon name="external" />
            <span>
              Open {link.host}
              <span class="unseen"> to sign in to {server}, in a new tab</span>
            </span>
          </a>
        </p>
      )}
    </>
  );
}

/** Checks the address again: a link must never run a script. */
function safeLink(text: string | undefined): URL | undefined {
  if (text === undefined || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  if (url.protocol === "https:") return url;
  return url.protocol === "http:" && LOOPBACK.has(url.hostname) ? url : undefined;
}
