import { createHash, randomBytes } from "node:crypto";
import { openCallback } from "../auth/index.ts";
import { HostError } from "../model/index.ts";
import { nodePorts } from "../platform/node/index.ts";

/** A program's OAuth client at an authorization server. */
export interface McpOAuthClient {
  /** The name of the server that the client is for. */
  readonly name: string;
  /** The client id. */
  readonly clientId: string;
  /** The client secret of a confidential client. */
  readonly clientSecret?: string;
  /** The URL of the authorization endpoint. */
  readonly authUrl: string;
  /** The URL of the token endpoint. */
  readonly tokenUrl: string;
  /** The scopes to request, separated by spaces. */
  readonly scope?: string;
}

/** Options for `McpOAuthCallback.start`. */
export interface McpOAuthCallbackOptions {
  /** The port to listen on. Default: a free port. */
  readonly port?: number;
  /** Called with each code. Its result decides whether the browser shows a success or an error page. */
  callback?(
    code: string,
    state: string,
  ): { readonly success: boolean } | Promise<{ readonly success: boolean }>;
}

const TIMEOUT_MS = 5 * 60_000;

interface Listening extends Awaited<ReturnType<typeof openCallback>> {
  readonly options: McpOAuthCallbackOptions;
}

interface Flow {
  readonly state: string;
  readonly answer: ReturnType<Listening["answered"]>;
  readonly options: McpOAuthCallbackOptions;
}

const clients = new Map<string, McpOAuthClient>();
const verifiers = new Map<string, string>();
let listening: Promise<Listening> | undefined;
let flow: Flow | undefined;

function listen(options: McpOAuthCallbackOptions): Promise<Listening> {
  const opened = openCallback(nodePorts().loopback, { port: options.port }).then((callback) => ({
    ...callback,
    options,
  }));
  listening = opened;
  opened.catch(() => {
    if (listening === opened) listening = undefined;
  });
  return opened;
}

/** Receives the browser's redirect on 127.0.0.1. Accepts only redirects with the state of the last `startAuth`. */
export const McpOAuthCallback = {
  /** Starts listening. Stops an earlier listener first. */
  async start(
    options: McpOAuthCallbackOptions = {},
  ): Promise<{ readonly redirectUri: string; stop(): Promise<void> }> {
    await McpOAuthCallback.stop();
    const { redirectUri } = await listen(options);
    return { redirectUri, stop: () => McpOAuthCallback.stop() };
  },

  /** Resolves with the authorization code of the last `startAuth`. Rejects after `timeoutMs`, by default five minutes. */
  async waitForCode({ timeoutMs = TIMEOUT_MS }: { readonly timeoutMs?: number } = {}): Promise<string> {
    if (flow === undefined) throw new HostError("USAGE_INVALID", "Call McpOAuthProvider.startAuth() first.");
    const { answer, state, options } = flow;
    let stopTimer = (): void => {};
    const tooLate = new Promise<never>((_, reject) => {
      stopTimer = nodePorts().clock.after(timeoutMs, () =>
        reject(new HostError("AUTH_TIMEOUT", "OAuth flow timed out. Please try again.")),
      );
    });
    const { parameters, say } = await Promise.race([answer, tooLate]).finally(stopTimer);
    const [code, error] = [parameters.get("code"), parameters.get("error")];
    const failure = error ?? (code === null ? "the redirect has no code" : undefined);
    try {
      if (failure !== undefined || code === null) throw failed(failure ?? "");
      const { success } = (await options.callback?.(code, state)) ?? { success: true };
      if (!success) throw failed("the code was refused");
      say();
      return code;
    } catch (cause) {
      say("The sign-in failed.");
      throw cause;
    }
  },

  /** Stops listening. */
  async stop(): Promise<void> {
    const before = listening;
    listening = flow = undefined;
    await (await before?.catch(() => undefined))?.close();
  },
};

/** Starts a sign-in with an OAuth client that the program has registered. */
export const McpOAuthProvider = {
  /** Registers a client for the server `client.name`. */
  async register(client: McpOAuthClient): Promise<void> {
    clients.set(client.name, client);
  },

  /** Returns the URL to open in a browser. It contains a state and a PKCE challenge. */
  async startAuth({
    serverName,
    authEndpoint,
  }: {
    readonly serverName: string;
    readonly authEndpoint?: string | undefined;
  }): Promise<string> {
    const client = clients.get(serverName);
    if (client === undefined)
      throw new HostError("AUTH_CLIENT_REQUIRED", `No OAuth client is registered for "${serverName}".`, {
        server: serverName,
        hint: "Call McpOAuthProvider.register() first.",
      });
    const { redirectUri, answered, options } = await (listening ?? listen({}));
    const [state, verifier] = [randomBytes(32).toString("base64url"), randomBytes(32).toString("base64url")];
    verifiers.set(serverName, verifier);
    flow = { state, answer: answered(state), options };
    const url = new URL(authEndpoint ?? client.authUrl);
    const parameters = {
      response_type: "code",
      client_id: client.clientId,
      redirect_uri: redirectUri,
      state,
      code_challenge: createHash("sha256").update(verifier).digest("base64url"),
      code_challenge_method: "S256",
      ...(client.scope !== undefined && { scope: client.scope }),
    };
    for (const [key, value] of Object.entries(parameters)) url.searchParams.set(key, value);
    return url.href;
  },

  /** Returns the PKCE verifier of the last `startAuth`. The token request needs it together with the code. */
  codeVerifier(serverName: string): string | undefined {
    return verifiers.get(serverName);
  },
};

function failed(why: string): HostError {
  return new HostError("AUTH_FAILED", `OAuth authentication failed: ${why}`);
}
