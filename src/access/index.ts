/** Request facts → the person who sends it, or a refusal. No later module ever sees an inbound token. */
export type { AccessRefusal, AccessSettings } from "./access.ts";
export { Access } from "./access.ts";
export type { TrustedProxies } from "./client-address.ts";
export { createTrustedProxies, networkOf } from "./client-address.ts";
export type { Directory } from "./directory.ts";
export { findKnownPerson, findPerson } from "./find-person.ts";
export type { OAuthAccess } from "./oauth/oauth-access.ts";
export type { Principal, TokenScopes } from "./principal.ts";
export { rightsKey } from "./principal.ts";
export { endpointOfMetadata, resourceMetadata } from "./resource-metadata.ts";
export { createToken, parseLifetime } from "./tokens/static-token.ts";
