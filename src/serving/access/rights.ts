import type { Principal, TokenScopes } from "../../access/index.ts";
import { matchesGlob } from "../../model/index.ts";
import type { PersonPolicy, PolicyDecision, PolicySubject } from "../../policy/index.ts";
import type { Endpoint } from "../endpoint.ts";

/** What the person and token of a request may do. A local client has no rights object: it may do what the host may. */
export interface Rights {
  /** The same for all of the person's tokens with the same rights. */
  readonly key: string;
  readonly principal: Principal;
  /** The address of the client. */
  readonly address?: string | undefined;
  /** Whether another gateway has passed the request on, and counted it. */
  readonly isPassedOn?: boolean | undefined;
  /** Returns the headers that tell a client to get a token with more scopes. */
  scopeChallenge(path: string, scope: string): Readonly<Record<string, string>>;
  /** Returns whether anything of a server may be used. */
  sees(server: string): boolean;
  /**
   * The only function that decides about tools, resources, prompts and servers' requests: for lists, searches, calls, completions and
   * relayed messages. Without arguments, a subject is allowed if it is with some arguments.
   */
  decide(subject: PolicySubject): PolicyDecision;
}

/** Groups one person's requests that have no session. */
export function clientKey({ path }: Pick<Endpoint, "path">, rights: Rights | undefined): string {
  return rights === undefined ? path : `${path} ${rights.key}`;
}

/** The tools that a bundle allows. */
export interface ToolSubset {
  readonly id: string;
  readonly server: string;
  readonly allowTools?: readonly string[];
  readonly denyTools: readonly string[];
}

/** The sources of rights. `policy` and `bundles` return the current ones, because streams outlive changes. */
export interface RightsSource
  extends Pick<Rights, "key" | "principal" | "address" | "isPassedOn" | "scopeChallenge"> {
  policy(): PersonPolicy;
  bundles(): readonly ToolSubset[];
}

/** Creates the rights of a person and token: the rights that the policy gives the person, within the limits of the token. */
export function createRights({ policy, bundles, ...given }: RightsSource): Rights {
  const { scopes } = given.principal;
  return {
    ...given,
    sees: (server) => !isOutside(scopes, bundles(), server) && policy().sees(server),
    decide(subject) {
      const limit = limitOf(scopes, bundles(), subject);
      return limit === undefined ? policy().decide(subject) : { answer: "deny", rule: limit };
    },
  };
}

function limitOf(
  scopes: TokenScopes,
  bundles: readonly ToolSubset[],
  { kind, server, item = "", isReadOnly }: PolicySubject,
): string | undefined {
  if (isOutside(scopes, bundles, server)) return "the token is not for this server";
  const isOffered = kind === "tool" || kind === "resource" || kind === "prompt";
  if (scopes.bundles !== undefined && isOffered) {
    const isInBundle =
      kind === "tool" && bundles.some((bundle) => isChosen(scopes, bundle) && contains(bundle, server, item));
    if (!isInBundle) return "the token is not for a bundle that contains this";
  }
  return scopes.readOnly === true && kind === "tool" && isReadOnly !== true
    ? "the token is only for reading"
    : undefined;
}

function isOutside(scopes: TokenScopes, bundles: readonly ToolSubset[], server: string): boolean {
  if (scopes.servers?.includes(server) === false) return true;
  return (
    scopes.bundles !== undefined &&
    !bundles.some((bundle) => isChosen(scopes, bundle) && bundle.server === server)
  );
}

function isChosen({ bundles }: TokenScopes, { id }: ToolSubset): boolean {
  return bundles?.includes(id) === true;
}

function contains(bundle: ToolSubset, server: string, tool: string): boolean {
  const { allowTools, denyTools } = bundle;
  return (
    bundle.server === server &&
    !denyTools.some((pattern) => matchesGlob(pattern, tool)) &&
    (allowTools === undefined || allowTools.some((pattern) => matchesGlob(pattern, tool)))
  );
}
