const WELL_KNOWN = "/.well-known/oauth-protected-resource";

/** Returns the URL of an endpoint as tokens name it: exactly that URL, without a slash at its end. */
export function resourceOf(publicUrl: string, path: string): string {
  return publicUrl + path;
}

/** Returns the headers that tell a client where to get a token for an endpoint. */
export function challenge(
  publicUrl: string,
  path: string,
  parameters: { readonly error?: string; readonly scope?: string },
): Readonly<Record<string, string>> {
  const { error, scope } = parameters;
  const parts = [
    ...(error === undefined ? [] : [`error="${error}"`]),
    `resource_metadata="${publicUrl}${WELL_KNOWN}${path}"`,
    ...(scope === undefined ? [] : [`scope="${scope}"`]),
  ];
  return { "www-authenticate": `Bearer ${parts.join(", ")}` };
}

/** Returns the path of the endpoint that a metadata path describes. The root document describes `/mcp`. */
export function endpointOfMetadata(path: string): string | undefined {
  if (path === WELL_KNOWN) return "/mcp";
  return path.startsWith(`${WELL_KNOWN}/`) ? path.slice(WELL_KNOWN.length) : undefined;
}

/** Returns the metadata of an endpoint (RFC 9728). */
export function resourceMetadata(
  publicUrl: string,
  path: string,
  { issuers, scopes }: { readonly issuers: readonly string[]; readonly scopes: readonly string[] },
): object {
  return {
    resource: resourceOf(publicUrl, path),
    authorization_servers: issuers,
    bearer_methods_supported: ["header"],
    ...(scopes.length > 0 && { scopes_supported: scopes }),
    resource_name: "Plugboard",
  };
}
