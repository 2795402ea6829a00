import {
  type Access,
  type AccessRefusal,
  endpointOfMetadata,
  networkOf,
  type Principal,
  resourceMetadata,
  rightsKey,
  type TrustedProxies,
} from "../access/index.ts";
import type { Bundle } from "../model/index.ts";
import type { IncomingRequest, OutgoingResponse } from "../platform/index.ts";
import {
  createRights,
  crossOriginHeaders,
  type RateLimit,
  type Rights,
  sendError,
} from "../serving/index.ts";
import type { PeerFacts } from "./cluster/cluster.ts";
import { withoutInternalHeaders } from "./cluster/forward.ts";
import type { Router } from "./cluster/router.ts";
import { endWith } from "./end-with.ts";
import { SIGN_IN_CALLBACK } from "./pages/team-pages.ts";
import type { PeopleServings } from "./people-servings.ts";
import type { PolicySource } from "./policy-source.ts";
import type { TeamConfig } from "./team-config.ts";

/** Headers that must not be sent twice, because two programs could each read another one. */
const SINGLE = /^(?:host|origin|authorization|content-type|cookie|mcp-.*)$/;
const ENDPOINT = /^\/mcp(?:\/[sb]\/[^/?#]+)?$/;
const INVALID_REQUEST = -32600;
const INTERNAL_ERROR = -32603;

type Headers = Readonly<Record<string, string>>;

/** Answers a request that is not for an MCP endpoint. Returns `false` if the path is unknown. */
export type PageHandler = (
  request: IncomingRequest,
  response: OutgoingResponse,
  facts: { readonly path: string; readonly address: string },
) => boolean;

/** The dependencies of the public listener. The functions return current values. */
export interface TeamHttp {
  config(): TeamConfig;
  proxies(): TrustedProxies;
  bundles(): readonly Bundle[];
  /** The limit for requests whose sender is unknown. */
  anonymous(): RateLimit;
  readonly access: Access;
  readonly policy: PolicySource;
  readonly people: PeopleServings;
  /** Sends requests to the gateway that they belong to. Not set if there is only one. */
  router(): Router | undefined;
  readonly pages: PageHandler;
  /** Returns whether new people are refused because memory is low. */
  isFull(): boolean;
}

/** Handles all requests: checks the headers, identifies the person, and passes the request to that person's serving. */
export function createTeamHandler(
  team: TeamHttp,
): (request: IncomingRequest, response: OutgoingResponse) => void {
  let known = { publicUrl: "", host: "" }; // parsing a URL takes longer than the other checks
  const ownHost = (publicUrl: string): string => {
    if (known.publicUrl !== publicUrl) known = { publicUrl, host: hostOf(publicUrl) };
    return known.host;
  };
  return (given, response) => {
    const request = withoutInternalHeaders(given);
    const address = team.proxies().clientOf(request.address, request.headers["x-forwarded-for"]) ?? "unknown";
    const path = request.target.split("?", 1)[0] ?? "";
    const { publicUrl, allowHosts, allowOrigins } = team.config();
    const origins = [publicUrl, ...allowOrigins];
    const headers = crossOriginHeaders(request, { origins: allowOrigins });
    const refuse = (status: number, message: string): void =>
      sendError(response, status, INVALID_REQUEST, message, headers);
    const twice = request.repeated.find((name) => SINGLE.test(name));
    if (twice !== undefined) return refuse(400, `The header ${twice} was sent twice.`);
    const hosts = [ownHost(publicUrl), ...allowHosts];
    if (!hosts.includes(withoutUsualPort((request.headers["host"] ?? "").toLowerCase())))
      return refuse(403, "Unknown Host.");
    const { origin } = request.headers;
    if (origin !== undefined && !origins.includes(origin)) return refuse(403, "Unknown Origin.");
    const described = endpointOfMetadata(path);
    if (described !== undefined) return answerMetadata(team, described, response);
    if (!ENDPOINT.test(path)) {
      if (!team.pages(request, response, { path, address })) refuse(404, "Not found.");
      return;
    }
    const isPreflight = request.method === "OPTIONS" && Object.keys(headers).length > 0;
    if (isPreflight) return response.send(204, headers);
    answer(team, { request, response, path, address, headers }).catch(() => response.send(500, headers));
  };
}

/** Answers requests that another gateway of the team has checked and passed on. The token is checked again. */
export function createPeerHandler(
  team: TeamHttp,
): (request: IncomingRequest, response: OutgoingResponse, facts: PeerFacts) => void {
  return (given, response, { address, isDetached }) => {
    const request = withoutInternalHeaders(given);
    const path = request.target.split("?", 1)[0] ?? "";
    if (path === SIGN_IN_CALLBACK && team.pages(request, response, { path, address })) return;
    if (!ENDPOINT.test(path)) return response.send(404, {});
    answer(team, { request, response, path, address, headers: {}, isForwarded: true, isDetached }).catch(() =>
      response.send(500, {}),
    );
  };
}

interface Exchange {
  /** Whether another gateway has passed the request on. */
  readonly isForwarded?: boolean;
  readonly isDetached?: boolean;
  readonly request: IncomingRequest;
  readonly response: OutgoingResponse;
  readonly path: string;
  readonly address: string;
  readonly headers: Headers;
}

async function answer(
  team: TeamHttp,
  { request, response, path, address, headers, isForwarded = false, isDetached = false }: Exchange,
): Promise<void> {
  const { access, people } = team;
  const anonymous = team.anonymous();
  // After too many wrong tokens from an address, only tokens that are already known to be valid are accepted from it.
  const network = networkOf(address);
  if (anonymous.isEmpty(network) && !access.knows(request, path)) return sendTooMany(response, headers);
  const admission = await access.admit(request, path);
  if ("refusal" in admission) {
    const { status } = admission.refusal;
    if (status === 401 && anonymous.take(network) > 0) return sendTooMany(response, headers);
    return sendRefusal(response, admission.refusal, headers);
  }
  const { principal } = admission;
  if (!people.has(principal.id) && team.isFull())
    return sendError(response, 503, INTERNAL_ERROR, "The gateway has little memory left.", {
      ...headers,
      "retry-after": "5",
    });
  const serve = async (served: IncomingRequest): Promise<void> => {
    const { endpoints, release } = await people.use(principal.id);
    response.onClose(release);
    const { signal, release: stopWatching } = access.directory.watch(principal);
    response.onClose(stopWatching);
    endpoints.handle(
      served,
      endWith(response, signal),
      headers,
      rightsOf(team, principal, address, isForwarded),
    );
  };
  const router = team.router();
  if (router === undefined) return serve(request);
  const rights = rightsOf(team, principal, address, isForwarded);
  const usesPrograms = Array.from(team.config().terms).some(
    ([server, { isProgram }]) => isProgram && rights.sees(server),
  );
  const exchange = {
    request,
    response,
    headers,
    address,
    person: principal.id,
    isForwarded,
    usesPrograms,
    isDetached,
  };
  return router.route(exchange, serve);
}

function rightsOf(
  { policy, access, bundles }: TeamHttp,
  principal: Principal,
  address: string,
  isPassedOn: boolean,
): Rights {
  return createRights({
    key: rightsKey(principal),
    principal,
    address,
    isPassedOn,
    policy: () => policy.for(principal),
    bundles,
    scopeChallenge: (path, scope) => access.insufficientScope(path, [scope]).headers,
  });
}

/** The documents exist for every endpoint that could exist, so they reveal nothing about servers. */
function answerMetadata({ access, config }: TeamHttp, path: string, response: OutgoingResponse): void {
  const { oauth } = access.settings;
  if (!ENDPOINT.test(path) || oauth.length === 0)
    return sendError(response, 404, INVALID_REQUEST, "Not found.", {});
  const issuers = oauth.map(({ issuer }) => issuer);
  const scopes = [...new Set(oauth.flatMap((one) => one.scopes))];
  const document = resourceMetadata(config().publicUrl, path, { issuers, scopes });
  const headers = { "content-type": "application/json", "access-control-allow-origin": "*" };
  response.send(200, headers, JSON.stringify(document));
}

function sendRefusal(response: OutgoingResponse, refusal: AccessRefusal, headers: Headers): void {
  const { status, message } = refusal;
  sendError(response, status, INVALID_REQUEST, message, { ...headers, ...refusal.headers });
}

function sendTooMany(response: OutgoingResponse, headers: Headers): void {
  const message = "Too many requests with a wrong token. Try again later.";
  sendError(response, 429, INVALID_REQUEST, message, { ...headers, "retry-after": "1" });
}

function hostOf(url: string): string {
  return withoutUsualPort(new URL(url).host.toLowerCase());
}

function withoutUsualPort(host: string): string {
  return host.replace(/:(?:80|443)$/, "");
}
