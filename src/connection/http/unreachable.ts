/** Why a URL cannot be reached, and what the user can do about it. */
export interface Unreachable {
  readonly message: string;
  readonly hint: string;
}

const CHECK = "Check the url and that the server is running.";
const UNTRUSTED =
  "If you trust it, save its CA certificate to a file and set NODE_EXTRA_CA_CERTS to the path of that file.";

/** Describes a system error code of a failed connection. */
export function describeUnreachable(reason: string, url: string): Unreachable {
  switch (reason) {
    case "ECONNREFUSED":
      return { message: `nothing is listening at ${url} (connection refused)`, hint: CHECK };
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return {
        message: `the host of ${url} could not be resolved (${reason})`,
        hint: "Check the host name and your network connection.",
      };
    case "ECONNRESET":
    case "EPIPE":
      return { message: `${url} closed the connection (${reason})`, hint: CHECK };
    case "DEPTH_ZERO_SELF_SIGNED_CERT":
    case "SELF_SIGNED_CERT_IN_CHAIN":
      return { message: `the certificate of ${url} is self-signed (${reason})`, hint: UNTRUSTED };
    case "UNABLE_TO_VERIFY_LEAF_SIGNATURE":
    case "UNABLE_TO_GET_ISSUER_CERT":
    case "UNABLE_TO_GET_ISSUER_CERT_LOCALLY":
      return {
        message: `the certificate of ${url} was issued by an unknown authority (${reason})`,
        hint: UNTRUSTED,
      };
    case "CERT_HAS_EXPIRED":
    case "CERT_NOT_YET_VALID":
      return {
        message: `the certificate of ${url} has expired or is not valid yet (${reason})`,
        hint: "Check this machine's clock. If it is correct, the server needs a new certificate.",
      };
    case "ERR_TLS_CERT_ALTNAME_INVALID":
      return {
        message: `the certificate of ${url} is for another host`,
        hint: "Check the host in the url: another server may be using this address.",
      };
    case "EPROTO":
    case "ERR_SSL_WRONG_VERSION_NUMBER":
    case "ERR_SSL_PACKET_LENGTH_TOO_LONG":
      return {
        message: `${url} does not use TLS (${reason})`,
        hint: "Check whether the url should start with http:// instead of https://.",
      };
    case "ERR_INVALID_CHAR":
      return {
        message: `a header for ${url} contains a character that is not allowed`,
        hint: "Check the headers in the server's entry.",
      };
    default:
      if (reason.startsWith("the proxy "))
        return { message: reason, hint: "Check HTTP_PROXY, HTTPS_PROXY, ALL_PROXY and NO_PROXY." };
      return reason.startsWith("HPE_")
        ? {
            message: `${url} does not use HTTP (${reason})`,
            hint: "Check whether the url should start with https:// instead of http://.",
          }
        : { message: `${url} cannot be reached (${reason})`, hint: CHECK };
  }
}
