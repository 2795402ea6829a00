import { loadOidcLogin, type OidcLogin } from "../../auth/index.ts";
import { isJsonObject, messageOf, safeLine } from "../../model/index.ts";
import type { IncomingRequest, OutgoingResponse } from "../../platform/index.ts";
import type { Person } from "../../store/index.ts";
import type { PageSignIn } from "../team-config.ts";
import { activityAnswers } from "./activity-page.ts";
import { approvalAnswers } from "./approvals-page.ts";
import { changeConnection, connectionsPage } from "./connections.ts";
import { html, PAGE_HEADERS } from "./html.ts";
import { nodeAnswers } from "./nodes-page.ts";
import type { TeamPagesContext } from "./page-context.ts";
import { hashOf, PageSessions, randomId } from "./page-sessions.ts";
import { peopleAnswers } from "./people-page.ts";
import { policyAnswers } from "./policy-page.ts";
import { recordChange } from "./record-change.ts";
import { ServerSignIns } from "./server-sign-ins.ts";
import {
  type Answer,
  type Answers,
  EVERYONE,
  formOf,
  forRoles,
  lastPart,
  nameOf,
  type PageRequest,
  queryOf,
  redirect,
  type SignedInRequest,
  safePath,
  send,
  sendPage,
} from "./team-page.ts";
import { tokenAnswers } from "./tokens-page.ts";

const LOGIN_MS = 600_000;
/** Where authorization servers of servers send people back to. Gateways pass these requests on to each other. */
export const SIGN_IN_CALLBACK = "/sign-in/callback";

/** The gateway's own pages: signing in, signing in to servers, and becoming the first administrator. */
export class TeamPages {
  readonly serverSignIns: ServerSignIns;
  readonly #context: TeamPagesContext;
  readonly #sessions: PageSessions;
  readonly #answers: Answers;
  #login: { readonly settings: PageSignIn; readonly login: Promise<OidcLogin> } | undefined;

  constructor(context: TeamPagesContext) {
    const { opened, access, ports, publicUrl } = context;
    const store = opened.team;
    this.#context = context;
    this.#sessions = new PageSessions(store, access.directory, ports.clock, {
      isSecure: publicUrl().startsWith("https:"),
    });
    const { node } = opened;
    this.serverSignIns = new ServerSignIns({ ...ports, store, node, publicUrl });
    this.#answers = this.#createAnswers();
  }

  /** Returns whether a path belongs to a page. */
  owns(path: string): boolean {
    return this.#find("GET", path) !== undefined || this.#find("POST", path) !== undefined;
  }

  /** Returns whether a secret could be guessed on a page, so that stricter limits apply. */
  isSignIn(path: string): boolean {
    return /^\/(?:login|sign-in|administrator)(?:\/|$)/.test(path);
  }

  /** Answers a request. Never rejects. */
  async handle(request: IncomingRequest, response: OutgoingResponse, path: string): Promise<void> {
    try {
      const answer = this.#find(request.method, path);
      if (answer === undefined) return response.send(405, { ...PAGE_HEADERS, allow: "GET, POST" });
      if (request.method === "POST" && !this.#isOwn(request))
        return send(response, 403, "Not allowed", html`<p>The request does not come from this page.</p>`);
      await answer({ request, response, path, person: await this.#sessions.personOf(request) });
    } catch (error) {
      this.#context.ports.log.log("warn", "page.failed", { path, error: messageOf(error) });
      send(
        response,
        500,
        "Something went wrong",
        html`<p>Try again. If it fails again, ask an administrator.</p>`,
      );
    }
  }

  /** Only our own forms may make changes. Browsers send the origin of every POST. */
  #isOwn({ headers }: IncomingRequest): boolean {
    const from = headers["sec-fetch-site"];
    return headers["origin"] === this.#context.publicUrl() && (from === undefined || from === "same-origin");
  }

  #find(method: string, path: string): Answer | undefined {
    const pattern = path
      .replace(/^(\/(?:sign-in|administrator)\/)[\w-]{43}$/, "$1*")
      .replace(/^(\/people\/)[0-9a-f-]{36}$/, "$1*");
    const key = `${method} ${pattern}`;
    return Object.hasOwn(this.#answers, key) ? this.#answers[key] : undefined;
  }

  #createAnswers(): Answers {
    const { access } = this.#context;
    return {
      "GET /": async ({ response }) => redirect(response, "/connections"),
      "GET /login": (asked) => this.#showLogin(asked),
      "POST /login": (asked) => this.#logInWithToken(asked),
      "GET /login/callback": (asked) => this.#finishLogin(asked),
      "POST /logout": (asked) => this.#logOut(asked),
      [`GET ${SIGN_IN_CALLBACK}`]: (asked) => this.#finishSignIn(asked),
      "GET /sign-in/*": (asked) => this.#showSignIn(asked),
      "POST /sign-in/*": (asked) => this.#startSignIn(asked),
      "GET /connections": forRoles(access, EVERYONE, (asked) => this.#showConnections(asked)),
      "POST /connections": forRoles(access, EVERYONE, (asked) => this.#changeConnection(asked)),
      "GET /administrator/*": (asked) => this.#showAdministrator(asked),
      "POST /administrator/*": (asked) => this.#becomeAdministrator(asked),
      ...tokenAnswers(this.#context),
      ...approvalAnswers(this.#context),
      ...activityAnswers(this.#context),
      ...peopleAnswers(this.#context),
      ...policyAnswers(this.#context),
      ...nodeAnswers(this.#context),
    };
  }

  async #showLogin({ request, response, person }: PageRequest): Promise<void> {
    const back = returnPath(request);
    if (person !== undefined) return redirect(response, back);
    const login = this.#oidc();
    if (login === undefined) return this.#showTokenForm(response, back);
    const { url, state, nonce, verifier } = await (await login).start();
    const binding = randomId();
    const value = { nonce, verifier, back, binding: Buffer.from(hashOf(binding)).toString("hex") };
    const expiresAt = this.#context.ports.clock.now() + LOGIN_MS;
    await this.#context.opened.team.tickets.create(
      { kind: "sign_in", person: "", value, expiresAt },
      hashOf(state),
    );
    response.send(303, { ...PAGE_HEADERS, location: url, "set-cookie": this.#sessions.bind(binding) });
  }

  #showTokenForm(response: OutgoingResponse, back: string, problem?: string): void {
    const form = html`${problem === undefined ? "" : html`<p role="alert">${problem}</p>`}
<form method="post" action="/login?return=${encodeURIComponent(back)}">
<p><label>Your token for this gateway<br><input name="token" type="password" size="40" autocomplete="off" required autofocus></label></p>
<p><button>Sign in</button></p></form>`;
    send(response, problem === undefined ? 200 : 401, "Sign in", form);
  }

  /** People without an identity provider sign in with their token, if it has all their rights. */
  async #logInWithToken({ request, response }: PageRequest): Promise<void> {
    const back = returnPath(request);
    if (this.#oidc() !== undefined) return redirect(response, "/login");
    const token = (await formOf(request))?.get("token") ?? "";
    const admission = await this.#context.access.admit(
      { headers: { authorization: `Bearer ${token}` } },
      "/mcp",
    );
    const principal = "principal" in admission ? admission.principal : undefined;
    if (principal?.token.name === undefined)
      return this.#showTokenForm(response, back, "This token is not valid.");
    if (Object.keys(principal.scopes).length > 0)
      return this.#showTokenForm(response, back, "This token is limited, so it cannot be used here.");
    const cookie = await this.#sessions.start(principal.id, principal.token);
    redirect(response, back, { "set-cookie": cookie });
  }

  async #finishLogin({ request, response }: PageRequest): Promise<void> {
    const answer = new URL(request.target, this.#context.publicUrl()).searchParams;
    const login = this.#oidc();
    const state = answer.get("state") ?? "";
    const ticket = login && (await this.#context.opened.team.tickets.take("sign_in", hashOf(state)));
    const { nonce, verifier, back, binding } = isJsonObject(ticket?.value) ? ticket.value : {};
    const isSameBrowser = this.#sessions
      .cookies(request, "pb-login")
      .some((id) => Buffer.from(hashOf(id)).toString("hex") === binding);
    if (login === undefined || typeof nonce !== "string" || typeof verifier !== "string" || !isSameBrowser)
      return send(
        response,
        400,
        "Sign-in failed",
        html`<p>This sign-in has ended. <a href="/login">Start again</a></p>`,
      );
    try {
      const facts = await (await login).finish({ state, nonce, verifier }, answer);
      const { id, disabledAt } = await this.#context.access.directory.personOf(facts);
      if (disabledAt !== undefined) throw new Error("The person is disabled.");
      const cookie = await this.#sessions.start(id);
      // A redirect would still count as a request of the identity provider's page.
      const headers = { "set-cookie": cookie, refresh: `0;url=${safePath(String(back))}` };
      send(response, 200, "Signed in", html`<p><a href="${safePath(String(back))}">Continue</a></p>`, {
        headers,
      });
    } catch (error) {
      this.#context.ports.log.log("warn", "login.failed", { error: messageOf(error) });
      send(
        response,
        403,
        "Sign-in failed",
        html`<p>You could not be signed in. <a href="/login">Try again</a></p>`,
      );
    }
  }

  async #logOut({ request, response }: PageRequest): Promise<void> {
    const cookie = await this.#sessions.end(request);
    send(response, 200, "Signed out", html`<p><a href="/login">Sign in again</a></p>`, {
      headers: { "set-cookie": cookie },
    });
  }

  async #showSignIn({ response, path, person }: PageRequest): Promise<void> {
    const link = await this.#linkOf(response, path, person);
    if (link === undefined || person === undefined) return;
    const url = await this.#urlOf(person.id, link.server);
    send(
      response,
      200,
      `Sign in to ${safeLine(link.server)}`,
      html`<p>You are ${nameOf(person)}. This gateway will call <b>${safeLine(link.server)}</b>${url === undefined ? "" : html` at <code>${safeLine(url)}</code>`} with your account there.</p>
<form method="post"><button>Continue</button></form>`,
    );
  }

  async #startSignIn({ response, path, person }: PageRequest): Promise<void> {
    const link = await this.#linkOf(response, path, person);
    if (link === undefined || person === undefined) return;
    const { workspace, release } = await this.#context.people().use(person.id);
    try {
      const url = await this.serverSignIns.start(workspace, link);
      // The policy for forms would forbid a redirect to another host.
      send(response, 200, "Redirecting", html`<p><a href="${url}">Continue at ${new URL(url).host}</a></p>`, {
        headers: { refresh: `0;url=${url}` },
      });
    } catch (error) {
      const problem = workspace.redactor.redact(messageOf(error));
      send(response, 502, "The sign-in could not be started", html`<p>${safeLine(problem)}</p>`);
    } finally {
      release();
    }
  }

  async #finishSignIn({ request, response, person }: PageRequest): Promise<void> {
    if (person === undefined) return redirect(response, "/login");
    const finished = await this.serverSignIns.finish(person.id, request.target);
    if (finished === undefined) {
      const node = await this.serverSignIns.findNode(person.id, request.target);
      if (node !== undefined && (await this.#context.forward(request, response, node))) return;
      return send(
        response,
        403,
        "Not your sign-in",
        html`<p>This response does not belong to one of your sign-ins.</p>`,
      );
    }
    const { server, failure } = finished;
    if (failure === undefined)
      return send(
        response,
        200,
        `Signed in to ${safeLine(server)}`,
        html`<p>You can close this page. Waiting calls continue.</p>`,
      );
    send(response, 400, `Not signed in to ${safeLine(server)}`, html`<p>${safeLine(failure)}</p>`);
  }

  async #showConnections(asked: SignedInRequest): Promise<void> {
    const { person } = asked;
    const { workspace, release } = await this.#context.people().use(person.id);
    try {
      const sees = (server: string): boolean => this.#context.sees(person, server);
      sendPage(asked, "Your sign-ins", await connectionsPage(workspace, nameOf(person), sees));
    } finally {
      release();
    }
  }

  async #changeConnection({ request, response, person }: SignedInRequest): Promise<void> {
    const form = await formOf(request);
    if (form === undefined) return redirect(response, "/connections");
    const { workspace, release } = await this.#context.people().use(person.id);
    try {
      const server = await changeConnection(workspace, form, (one) => this.#context.sees(person, one));
      const next =
        server === undefined ? "/connections" : await this.serverSignIns.for(person.id).linkFor(server);
      redirect(response, next.replace(this.#context.publicUrl(), ""));
    } finally {
      release();
    }
  }

  async #showAdministrator({ response, path, person }: PageRequest): Promise<void> {
    if (person === undefined) return redirect(response, `/login?return=${encodeURIComponent(path)}`);
    if (!(await this.#isAdministratorLink(path))) return sendEnded(response);
    send(
      response,
      200,
      "Become administrator",
      html`<p>You are ${nameOf(person)}. Administrators manage people, tokens and the policy of this gateway.</p>
<form method="post"><button>Become administrator</button></form>`,
    );
  }

  async #becomeAdministrator({ response, path, person }: PageRequest): Promise<void> {
    if (person === undefined) return redirect(response, `/login?return=${encodeURIComponent(path)}`);
    if (!(await this.#isAdministratorLink(path))) return sendEnded(response);
    const taken = await this.#context.opened.team.tickets.take("link", hashOf(lastPart(path)));
    if (taken === undefined) return sendEnded(response);
    const { opened, ports } = this.#context;
    await opened.team.people.setRole(person.id, "administrator");
    const change = { kind: "admin", by: person.id, method: "role/administrator", client: "pages" } as const;
    recordChange(opened.audit, ports.clock.now(), { ...change, item: person.id });
    send(response, 200, "You are an administrator", html`<p><a href="/people">Manage people</a></p>`);
  }

  async #isAdministratorLink(path: string): Promise<boolean> {
    const ticket = await this.#context.opened.team.tickets.get("link", hashOf(lastPart(path)));
    return isJsonObject(ticket?.value) && ticket.value["administrator"] === true;
  }

  /** Returns the purpose of a link. Answers the request itself if the person may not use the link. */
  async #linkOf(
    response: OutgoingResponse,
    path: string,
    person: Person | undefined,
  ): Promise<{ readonly person: string; readonly server: string } | undefined> {
    if (person === undefined) {
      redirect(response, `/login?return=${encodeURIComponent(path)}`);
      return undefined;
    }
    const link = await this.serverSignIns.read(lastPart(path));
    if (link?.person === person.id && this.#context.sees(person, link.server)) return link;
    if (link === undefined || link.person === person.id) sendEnded(response);
    else
      send(
        response,
        403,
        "Not your link",
        html`<p>This link was made for another person. You are ${nameOf(person)}.</p>`,
      );
    return undefined;
  }

  async #urlOf(person: string, server: string): Promise<string | undefined> {
    const { workspace, release } = await this.#context.people().use(person);
    release();
    const { launch } = workspace.inventory().servers.get(server) ?? {};
    return launch !== undefined && "url" in launch ? launch.url : undefined;
  }

  #oidc(): Promise<OidcLogin> | undefined {
    const settings = this.#context.signIn();
    if (settings === undefined) return undefined;
    if (this.#login?.settings !== settings) {
      const redirectUri = `${this.#context.publicUrl()}/login/callback`;
      this.#login = { settings, login: loadOidcLogin({ ...settings, redirectUri }, this.#context.ports) };
    }
    return this.#login.login;
  }
}

function sendEnded(response: OutgoingResponse): void {
  send(
    response,
    404,
    "This link has expired",
    html`<p>Links can be used for a limited time. Ask for a new one.</p>`,
  );
}

function returnPath(request: IncomingRequest): string {
  return safePath(queryOf(request).get("return") ?? "/connections");
}
