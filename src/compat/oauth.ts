import { createHash, randomBytes } from "node:crypto";
import { openCallback } from "../auth/index.ts";
import { HostError } from "../model/index.ts";
import { nodePorts } from "../platform/node/index.ts";

/** How a program is known to an authorization server. */
export interface McpOAuthClient {
  readonly name: string;
  readonly clientId: string;
  readonly clientSecret?: string;
  readonly authUrl: string;
  readonly tokenUrl: string;
  readonly scope?: string;
}

export interface McpOAuthCallbackOptions {
  /** Default: a free port. */
  readonly port?: number;
  /** Called with each code; what it returns decides which page the browser shows. */
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

/** Where the browser comes back to: 127.0.0.1 only, and only an answer with the state of the last `startAuth` counts. */
export const McpOAuthCallback = {
  async start(
    options: McpOAuthCallbackOptions = {},
  ): Promise<{ readonly redirectUri: string; stop(): Promise<void> }> {
    await McpOAuthCallback.stop();
    const { redirectUri } = await listen(options);
    return { redirectUri, stop: () => McpOAuthCallback.stop() };
  },

  /** Resolves with the code of the flow that `startAuth` began. */
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
    const failure = error ?? (code === null ? "the answer has no code" : undefined);
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

  async stop(): Promise<void> {
    const before = listening;
    listening = flow = undefined;
    await (await before?.catch(() => undefined))?.close();
  },
};

/** Begins a sign-in with an authorization server whose client the program registered. */
export const McpOAuthProvider = {
  async register(client: McpOAuthClient): Promise<void> {
    clients.set(client.name, client);
  },

  /** Returns the address to open in a browser. It carries a state and a PKCE challenge. */
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

  /** Returns the PKCE verifier of the last `startAuth`, which the token request needs beside the code. */
  codeVerifier(serverName: string): string | undefined {
    return verifiers.get(serverName);
  },
};

function failed(why: string): HostError {
  return new HostError("AUTH_FAILED", `OAuth authentication failed: ${why}`);
}
