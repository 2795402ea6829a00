import { type ChildProcess, spawn } from "node:child_process";
import { ownMark } from "./marked-processes.ts";

/**
 * Waits for the end of its input, which comes when this process ends, however it ends. Unless it was told that nothing is
 * left, it then ends what carries the mark: a moment for the servers to see the end of their own input, SIGTERM, SIGKILL.
 * A process is signalled right after its mark was seen, so that a number that was given to another is never hit; a marked
 * process that leads a group stands for the whole group. The mark comes in on a line, because `ps` shows arguments.
 */
const SCRIPT = `
read -r mark || exit 0
read -r over && exit 0
marked() {
  if [ -r /proc/self/environ ]; then
    for file in $(grep -lsF -e "$mark" /proc/[0-9]*/environ); do
      pid=\${file#/proc/}
      echo "\${pid%/environ}"
    done
  else
    { ps -AEww -o pid= -o command= || ps -axeww -o pid= -o command=; } 2>/dev/null |
      while read -r pid command; do
        case $command in *"$mark"*) echo "$pid" ;; esac
      done
  fi
}
signal() {
  for pid in $(marked); do
    kill -s "$1" -- "-$pid" || kill -s "$1" "$pid"
  done 2>/dev/null
}
gone() {
  for turn in $1; do
    [ -z "$(marked)" ] && exit 0
    sleep 0.1 2>/dev/null || sleep 1
  done
}
gone "1 2"
signal TERM
gone "1 2 3 4 5 6 7 8"
for round in 1 2 3 4 5; do
  signal KILL
  gone 1
done
`;

let reaper: ChildProcess | undefined;

/** Sees to it that no server outlives this process, not even when it is killed. Costs no Node, and holds nobody up. */
export function startReaper(): void {
  if (reaper !== undefined) return;
  const child = spawn("/bin/sh", ["-c", SCRIPT, "plugboard-reaper"], {
    cwd: "/",
    // None of our own environment: were this process a server of another host, that one would end its reaper first.
    env: { PATH: process.env["PATH"] ?? "/usr/bin:/bin" },
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  reaper = child;
  const lost = (): void => {
    if (reaper === child) reaper = undefined;
  };
  child.once("error", lost).once("exit", lost);
  child.unref();
  const { stdin }: Partial<Pick<ChildProcess, "stdin">> = child;
  if (!stdin) return; // too many open files: the next server that is started tries again
  stdin.on("error", () => {});
  if ("unref" in stdin && typeof stdin.unref === "function") stdin.unref();
  stdin.write(`${ownMark()}\n`);
}

/** Nothing that was started is left. */
export function stopReaper(): void {
  reaper?.stdin?.end("over\n");
  reaper = undefined;
}
