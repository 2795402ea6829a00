/** The OAuth provider of the program that the snippets belong to: it has signed in already. */
export const provider = {
  redirectUrl: "http://127.0.0.1:1/callback",
  clientMetadata: { client_name: "agent", redirect_uris: ["http://127.0.0.1:1/callback"] },
  clientInformation: () => ({ client_id: "agent" }),
  tokens: () => ({ access_token: "own-token", token_type: "Bearer" }),
  saveTokens() {},
  redirectToAuthorization() {
    throw new Error("The program's token was not accepted.");
  },
  saveCodeVerifier() {},
  codeVerifier: () => "",
};
