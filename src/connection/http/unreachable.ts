/** What stands between us and a url, in words, and what a person can do about it. */
export interface Unreachable {
  readonly message: string;
  readonly hint: string;
}

const CHECK = "Check the url and that the server is running.";
const UNTRUSTED =
  "If you trust it, put the certificate of its authority into a file and name that file in NODE_EXTRA_CA_CERTS.";

/** Puts words to the system's code for a connection that did not come about. */
export function describeUnreachable(reason: string, url: string): Unreachable {
  switch (reason) {
    case "ECONNREFUSED":
      return { message: `nobody answers at ${url} (connection refused)`, hint: CHECK };
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return {
        message: `the host of ${url} is unknown (${reason})`,
        hint: "Check the spelling of the host and your connection to the network.",
      };
    case "ECONNRESET":
    case "EPIPE":
      return { message: `${url} hung up (${reason})`, hint: CHECK };
    case "DEPTH_ZERO_SELF_SIGNED_CERT":
    case "SELF_SIGNED_CERT_IN_CHAIN":
      return { message: `the certificate of ${url} is self-signed (${reason})`, hint: UNTRUSTED };
    case "UNABLE_TO_VERIFY_LEAF_SIGNATURE":
    case "UNABLE_TO_GET_ISSUER_CERT":
    case "UNABLE_TO_GET_ISSUER_CERT_LOCALLY":
      return {
        message: `the certificate of ${url} is by an unknown authority (${reason})`,
        hint: UNTRUSTED,
      };
    case "CERT_HAS_EXPIRED":
    case "CERT_NOT_YET_VALID":
      return {
        message: `the certificate of ${url} is not valid today (${reason})`,
        hint: "Check this machine's clock; if it is right, the server needs a new certificate.",
      };
    case "ERR_TLS_CERT_ALTNAME_INVALID":
      return {
        message: `the certificate of ${url} is for another host`,
        hint: "Check the host in the url: somebody else may be answering there.",
      };
    case "EPROTO":
    case "ERR_SSL_WRONG_VERSION_NUMBER":
    case "ERR_SSL_PACKET_LENGTH_TOO_LONG":
      return {
        message: `${url} does not speak TLS (${reason})`,
        hint: "Check whether it is http, not https.",
      };
    case "ERR_INVALID_CHAR":
      return {
        message: `a header for ${url} holds a character that cannot be sent`,
        hint: "Check the headers in its entry.",
      };
    default:
      if (reason.startsWith("the proxy "))
        return { message: reason, hint: "Check HTTP_PROXY, HTTPS_PROXY, ALL_PROXY and NO_PROXY." };
      return reason.startsWith("HPE_")
        ? { message: `${url} does not speak HTTP (${reason})`, hint: "Check whether it is https, not http." }
        : { message: `${url} cannot be reached (${reason})`, hint: CHECK };
  }
}
