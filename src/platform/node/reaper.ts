import { type ChildProcess, spawn } from "node:child_process";
import { ownMark } from "./marked-processes.ts";
import { ownPath } from "./own-program.ts";
import { PS_COLUMNS, PS_ENVIRONMENT } from "./process-table.ts";

/**
 * Waits for the end of its input, which comes when this process ends, however it ends. Its lines are the mark, then
 * each time the processes that are followed (id:start time), or "over" when nothing is left to end. At the end of the input it
 * ends all marked and followed processes and their descendants: a moment for the servers to see the end of their own input,
 * SIGTERM, SIGKILL. A process is signalled only if it still has its start time, so that an id that was given to another
 * process is never hit; one that leads a group stands for the whole group. A process that keeps starting another and ends is
 * outrun: each that has the mark is killed as it is found, those with the next free ids too, for up to 30 seconds. The mark is
 * not an argument, because `ps` shows those.
 */
export const REAPER_SCRIPT: string = `
read -r mark || exit 0
known=
while read -r line; do
  [ "$line" = over ] && exit 0
  known=$line
done
facts() {
  stat=
  read -r stat <"/proc/$1/stat" && [ -n "$stat" ] || return 1
  set -- "$1" \${stat##*) }
  state=$2 parent=$3 start=\${21}
  [ "$state" != Z ] && return 0
  set -- "/proc/$1/task"/*
  [ $# -gt 1 ]
}
look_in_proc() {
  for file in $(grep -lsF -e "$mark" /proc/[0-9]*/environ); do
    pid=\${file#/proc/}
    pid=\${pid%/environ}
    facts "$pid" && known="$known $pid:$start"
  done
  queue=$known
  known=
  while [ -n "$queue" ]; do
    set -- $queue
    entry=$1 pid=\${1%%:*}
    shift
    queue=$*
    case " $known " in *" $entry "*) continue ;; esac
    children=
    for file in "/proc/$pid/task"/*/children; do
      line=
      read -r line <"$file"
      for child in $line; do
        facts "$child" && [ "$parent" = "$pid" ] && children="$children $child:$start"
      done
    done
    if facts "$pid" && [ "$pid:$start" = "$entry" ]; then
      known="$known $entry"
      queue="$queue$children"
    fi
  done
}
look_with_ps() {
  marked=$({ ps -AEww -o pid= -o command= || ps -axeww -o pid= -o command=; } |
    while read -r pid command; do
      case $command in *"$mark"*) echo "$pid" ;; esac
    done)
  known=$(${Object.entries(PS_ENVIRONMENT)
    .map(([name, value]) => `${name}=${value}`)
    .join(" ")} ps -axo ${PS_COLUMNS} | awk -v known="$known" -v marked="$(echo $marked)" '
    BEGIN {
      split(known, list, " "); for (i in list) is_known[list[i]]
      split(marked, list, " "); for (i in list) is_marked[list[i]]
    }
    $3 !~ /^Z/ {
      entry[$1] = $1 ":" $4 "_" $5 "_" $6 "_" $7 "_" $8
      parent[$1] = $2
      if ($1 in is_marked || entry[$1] in is_known) ours[$1]
    }
    END {
      do {
        more = 0
        for (pid in parent) if (!(pid in ours) && parent[pid] in ours) { ours[pid]; more = 1 }
      } while (more)
      for (pid in ours) printf " %s", entry[pid]
    }')
}
look() {
  if [ -r /proc/self/environ ]; then look_in_proc; else look_with_ps; fi
}
signal() {
  look
  for entry in $known; do
    pid=\${entry%%:*}
    kill -s "$1" -- "-$pid" || kill -s "$1" "$pid"
  done
}
gone() {
  for turn in $1; do
    look
    [ -z "$known" ] && return 0
    sleep 0.1 || sleep 1
  done
}
gone "1 2"
signal TERM
gone "1 2 3 4 5 6 7 8"
kill_marked() {
  [ -r /proc/self/environ ] || return 1
  read -r stat stat stat stat last </proc/loadavg
  newer= more=0
  while [ $more -lt 40 ]; do
    more=$((more + 1))
    newer="$newer /proc/$((last + more))/environ"
  done
  grep -lsF $buffered -e "$mark" /proc/[0-9]*/environ $newer | {
    found=1
    while read -r file; do
      pid=\${file#/proc/}
      pid=\${pid%/environ}
      kill -s KILL -- "-$pid" || kill -s KILL "$pid"
      found=0
    done
    [ $found = 0 ]
  }
}
buffered=--line-buffered
echo x | grep -qs $buffered x || buffered=
until=$(($(date +%s) + 30))
empty=0
while [ $empty -lt 5 ] && [ "$(date +%s)" -lt "$until" ]; do
  signal KILL
  empty=$((empty + 1))
  [ -n "$known" ] && empty=0
  for turn in 1 2 3 4 5; do kill_marked && empty=0; done
  [ $empty -gt 0 ] && { sleep 0.1 || sleep 1; }
done
`;

/** A reaper that is ended again and again is not started more often. */
const SHORTEST_LIFE_MS = 1_000;

let reaper: ChildProcess | undefined;
let isWanted = false;
let told = "";

/** Sees to it that no server outlives this process, not even when it is killed. Costs no Node, and holds nobody up. */
export function startReaper(): void {
  isWanted = true;
  if (reaper !== undefined) return;
  const child = spawn("/bin/sh", ["-c", REAPER_SCRIPT, "plugboard-reaper"], {
    cwd: "/",
    // None of our own environment: it may outlive this process, and carries nothing of it.
    env: { PATH: ownPath() },
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  reaper = child;
  const startedAt = performance.now();
  const lost = (): void => {
    if (reaper !== child) return;
    reaper = undefined;
    const restMs = startedAt + SHORTEST_LIFE_MS - performance.now();
    setTimeout(() => isWanted && startReaper(), Math.max(restMs, 0)).unref();
  };
  child.once("error", lost).once("exit", lost);
  child.unref();
  const { stdin }: Partial<Pick<ChildProcess, "stdin">> = child;
  if (!stdin) return; // too many open files: tried again a moment later
  stdin.on("error", () => {});
  if ("unref" in stdin && typeof stdin.unref === "function") stdin.unref();
  stdin.write(told === "" ? `${ownMark()}\n` : `${ownMark()}\n${told}\n`);
}

/** Replaces the list of followed processes. A reaper that does not read is not told more and more. */
export function tellReaper(followed: string): void {
  const input = reaper?.stdin;
  if (followed === told || !input?.writable || input.writableLength > 0) return;
  told = followed;
  input.write(`${followed}\n`);
}

/** Nothing that was started is left. */
export function stopReaper(): void {
  isWanted = false;
  told = "";
  reaper?.stdin?.end("over\n");
  reaper = undefined;
}
