import { PROXY_SOCKET } from "./network-bridge.ts";
import type { SandboxPlan } from "./sandbox-plan.ts";

/** Folders of the system. Those that do not exist are skipped. */
export const SYSTEM_FOLDERS: readonly string[] =
  "/usr /bin /sbin /lib /lib32 /lib64 /libx32 /opt /nix/store /run/current-system /home/linuxbrew/.linuxbrew".split(
    " ",
  );

/** The files in /etc that programs need. The others, such as keys and password hashes, are hidden. */
export const SYSTEM_FILES: readonly string[] =
  `alternatives ca-certificates ca-certificates.conf crypto-policies fonts group host.conf hosts ld.so.cache ld.so.conf
   ld.so.conf.d localtime locale.alias locale.conf mime.types nsswitch.conf passwd pki protocols resolv.conf services
   ssl/certs ssl/cert.pem ssl/openssl.cnf terminfo timezone static`
    .split(/\s+/)
    .map((name) => `/etc/${name}`);

/** Belong to root, who could otherwise change them even without capabilities. */
const KERNEL_SETTINGS: readonly string[] =
  "sys sysrq-trigger irq bus acpi asound driver fs mtrr pressure scsi"
    .split(" ")
    .map((name) => `/proc/${name}`);

/** Describe the kernel and the keys of its users. No namespace hides them. */
export const HIDDEN_FILES: readonly string[] =
  "keys key-users kcore kallsyms kmsg kpagecount kpageflags kpagecgroup timer_list sched_debug latency_stats"
    .split(" ")
    .map((name) => `/proc/${name}`);

/** Limits for the server: processes (for users other than root), memory in bytes, and core dumps. */
export const LIMITS: readonly string[] = ["--nproc=4096", `--data=${8 * 1024 ** 3}`, "--core=0"];

/** The parts of the sandbox's connection to Plugboard's proxy: the socket, the program that runs the bridge, and the files for name lookups. */
export interface ProxyMounts {
  readonly socket: string;
  readonly runtime: string;
  /** Files to mount, by the path that they replace. */
  readonly replaced: Readonly<Record<string, string>>;
}

/**
 * The devices of a server behind the bridge. There are no pseudo-terminals: for them, bubblewrap creates another user namespace, which
 * may not use the low ports of the sandbox's own network.
 */
const DEVICES: readonly string[] = [
  "--tmpfs",
  "/dev",
  ..."null zero full random urandom tty"
    .split(" ")
    .flatMap((name) => ["--dev-bind-try", `/dev/${name}`, `/dev/${name}`]),
  ..."fd: stdin:/0 stdout:/1 stderr:/2"
    .split(" ")
    .flatMap((link) => ["--symlink", `/proc/self/fd${link.split(":")[1]}`, `/dev/${link.split(":")[0]}`]),
  "--tmpfs",
  "/dev/shm",
];

/**
 * Returns the arguments for bubblewrap up to `--`. The root is empty, so that everything that is not listed is hidden.
 * Later mounts cover earlier ones. `hidden` are the files of `HIDDEN_FILES` that this kernel has.
 */
export function bwrapArguments(
  plan: SandboxPlan,
  cwd: string,
  {
    hidden = [],
    proxy,
  }: { readonly hidden?: readonly string[]; readonly proxy?: ProxyMounts | undefined } = {},
): string[] {
  const bind = (option: string, paths: readonly string[]): string[] =>
    paths.flatMap((path) => [option, path, path]);
  return [
    ..."--unshare-user --unshare-pid --unshare-ipc --unshare-uts --unshare-cgroup-try".split(" "),
    ...(plan.network === "none" ? ["--unshare-net"] : []),
    ..."--die-with-parent --new-session --cap-drop ALL --hostname sandbox".split(" "),
    ...(proxy === undefined ? [] : ["--cap-add", "CAP_NET_BIND_SERVICE"]),
    ...bind("--ro-bind-try", [...SYSTEM_FOLDERS, ...SYSTEM_FILES]),
    ..."--proc /proc --tmpfs /tmp --tmpfs /run".split(" "),
    ...(proxy === undefined ? ["--dev", "/dev"] : DEVICES),
    ...bind("--ro-bind-try", KERNEL_SETTINGS),
    ...hidden.flatMap((path) => ["--ro-bind", "/dev/null", path]),
    ...bind("--ro-bind-try", ["/run/current-system", ...plan.read]),
    ...bind("--bind", plan.project),
    ...bind("--bind", plan.pinned),
    ...bind("--ro-bind", plan.protected),
    ...bind("--bind", [plan.data, ...plan.write]),
    ...(proxy === undefined ? [] : mountsOf(proxy)),
    "--remount-ro",
    "/",
    "--chdir",
    cwd,
  ];
}

function mountsOf({ socket, runtime, replaced }: ProxyMounts): string[] {
  return [
    "--ro-bind",
    socket,
    PROXY_SOCKET,
    "--ro-bind-try",
    runtime,
    runtime,
    ...Object.entries(replaced).flatMap(([path, file]) => ["--ro-bind", file, path]),
  ];
}
