import type { InputRequest, JsonObject, WaitOptions } from "../../model/index.ts";

/** A server in the registry. All texts come from the registry; they are limited, and safe to print on one line. */
export interface RegistryServer {
  /** The registry's name, such as `io.github.acme/weather`. */
  readonly name: string;
  /** The version that this describes. */
  readonly version: string;
  /** What the server does, in the publisher's words. */
  readonly description: string;
  /** Whether the publisher still supports it. */
  readonly status: "active" | "deprecated" | "deleted";
  /** Why it is deprecated or deleted. */
  readonly statusMessage?: string;
  /** How it can be used: kinds of packages such as `npm`, `pypi`, `oci` and `mcpb`, and `remote`. */
  readonly kinds: readonly string[];
  /** A well-known publisher whose name this one resembles. It may be an imitation. */
  readonly resembles?: string;
}

/** The result of a search. */
export interface RegistrySearch {
  /** The servers that were found, each in its latest version. */
  readonly servers: readonly RegistryServer[];
  /** Whether the registry has more. */
  readonly hasMore: boolean;
  /** When the result was stored (ISO 8601), if the registry could not be reached and a stored result is used. */
  readonly storedAt?: string;
}

/** A way to run or reach a server, as a native entry. */
export interface RegistryLaunch {
  /** The kind of package, or `remote`. */
  readonly kind: string;
  /**
   * The native entry, with defaults filled in. `{id}` stands for an input; an `env` or header value of an input with its
   * name is empty.
   */
  readonly server: JsonObject;
  /** The values that a person can provide. Inputs with a default are not listed. */
  readonly inputs: readonly InputRequest[];
}

/** A server in the registry, with the ways to use it. */
export interface RegistryEntry extends RegistryServer {
  /** The ways that Plugboard can use, in the publisher's order. */
  readonly launches: readonly RegistryLaunch[];
  /** The ways that Plugboard does not use, and why. */
  readonly refused: readonly { readonly kind: string; readonly reason: string }[];
  /** When the result was stored (ISO 8601), if the registry could not be reached and a stored result is used. */
  readonly storedAt?: string;
}

/** A server card: what a website publishes about one of its remote servers. */
export interface ServerCard extends RegistryEntry {
  /** Where the card was read. */
  readonly cardUrl: string;
}

/** The MCP registry: a public list of servers. Nothing in it is trusted, and nothing is started or written. */
export interface HostRegistry {
  /** Finds servers by a part of their name. Results are stored, and used if the registry cannot be reached. */
  search(words: string, options?: WaitOptions): Promise<RegistrySearch>;
  /** Reads a server in one version, by default the latest. Rejects with `SERVER_UNKNOWN` if the registry does not have it. */
  find(name: string, options?: WaitOptions & { readonly version?: string }): Promise<RegistryEntry>;
  /**
   * Reads the server cards that a website publishes: `example.com`, or the URL of a server or a card. Rejects with `SERVER_UNKNOWN` if it
   * publishes none.
   */
  cards(address: string, options?: WaitOptions): Promise<readonly ServerCard[]>;
}
