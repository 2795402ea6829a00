import type { HostScope } from "../host-scope.ts";
import { listSignIns } from "./list-sign-ins.ts";
import { signInServer, signOutServer, switchAccount } from "./sign-in.ts";
import type { HostSignIns } from "./sign-ins-api.ts";

export function createSignIns({ workspace, whileOpen }: HostScope): HostSignIns {
  return {
    list: (options) => whileOpen(() => listSignIns(workspace), options),
    login: (server, options) => whileOpen(() => signInServer(workspace, server, options)),
    logout: (server, { account, signal } = {}) =>
      whileOpen(() => signOutServer(workspace, server, account), { signal }),
    use: (server, account, options) => whileOpen(() => switchAccount(workspace, server, account), options),
  };
}
