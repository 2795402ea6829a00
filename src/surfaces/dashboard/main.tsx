import { render, type VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { PageSession, TicketRequest } from "../../page-api.ts";
import { App } from "./app.tsx";
import { isSessionOver, load, type PageFailure, send, toFailure } from "./gateway/request.ts";
import { applyTheme, storedTheme } from "./preferences.ts";
import { parseTicket } from "./routes.ts";
import { SignedOut, Unreachable } from "./shell/signed-out.tsx";
import { renderSafely } from "./text/safe-rendering.ts";

/** Signs in with the ticket in the address, or uses the existing page session. */
function Start(): VNode | null {
  const [session, setSession] = useState<PageSession>();
  const [failure, setFailure] = useState<PageFailure>();
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    signIn().then(setSession, (error: unknown) => setFailure(toFailure(error)));
  }, [attempt]);
  const retry = (): void => {
    setFailure(undefined);
    setAttempt(attempt + 1);
  };
  if (session !== undefined) return <App session={session} />;
  if (failure === undefined) return null;
  return isSessionOver(failure) ? (
    <SignedOut failure={failure} />
  ) : (
    <Unreachable failure={failure} onRetry={retry} />
  );
}

async function signIn(): Promise<PageSession> {
  const opened = parseTicket(location.hash);
  if (opened === undefined) return load<PageSession>("session");
  // The ticket must not stay in the history.
  history.replaceState(null, "", `#${opened.page}`);
  const body: TicketRequest = { ticket: opened.ticket };
  try {
    return await send<PageSession>("session", body);
  } catch (error) {
    if (toFailure(error).code !== "PAGE_TICKET_INVALID") throw error;
    return load<PageSession>("session").catch(() => Promise.reject(error as Error)); // the same link again, in a browser that is signed in
  }
}

applyTheme(storedTheme());
renderSafely();
const root = document.getElementById("app");
if (root !== null) render(<Start />, root);
