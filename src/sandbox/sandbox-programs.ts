/** Where bubblewrap and `sandbox-exec` are installed. Never searched on PATH, which may lead to a program of a project. */
export const SANDBOX_PROGRAMS: Readonly<Record<string, readonly string[]>> = {
  linux: ["/usr/bin/bwrap", "/bin/bwrap", "/usr/local/bin/bwrap", "/run/current-system/sw/bin/bwrap"],
  darwin: ["/usr/bin/sandbox-exec"],
};

/** Where Podman and Docker are installed. Podman needs no service and no group that is as powerful as root, so it is preferred. */
export const CONTAINER_PROGRAMS: Readonly<Record<string, readonly string[]>> = {
  linux: ["/usr/bin/podman", "/usr/local/bin/podman", "/usr/bin/docker", "/usr/local/bin/docker"],
  darwin: [
    "/opt/podman/bin/podman",
    "/opt/homebrew/bin/podman",
    "/usr/local/bin/podman",
    "/usr/local/bin/docker",
    "/opt/homebrew/bin/docker",
  ],
};

/** Arguments for bubblewrap that create every kind of namespace which a sandbox needs, and then run a program that does nothing. */
export const TRIAL: readonly string[] =
  "--die-with-parent --unshare-user --unshare-pid --unshare-net --unshare-ipc --unshare-uts --ro-bind / / --proc /proc --dev /dev -- /bin/sh -c :".split(
    " ",
  );

/** Explains why bubblewrap cannot create a sandbox, from its own message. */
export function explainRefusal(message: string): string {
  const reason = /bwrap: ([^\n]{1,200})/.exec(message)?.[1] ?? "it failed without a message";
  return `bubblewrap cannot create one here (${reason})`;
}

/** The advice for it. */
export const REFUSAL_HINT =
  "Allow user namespaces: see kernel.unprivileged_userns_clone, user.max_user_namespaces and, on Ubuntu, kernel.apparmor_restrict_unprivileged_userns. ";
