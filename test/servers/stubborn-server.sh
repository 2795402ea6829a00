#!/bin/sh
# A legacy server (2025-06-18) over stdio that starts in a millisecond; tools `echo` and `wait`, which never answers.
# Arguments, any of: stubborn (outlives the end of its input and SIGTERM), setsid (starts a stubborn child in a session of its own,
# and one more that was given away), cleared (the same as setsid, without an environment; its process ids are added to PIDS_FILE).
# READY_FILE in the environment: written when `wait` is called.
# Nothing here lives longer than a minute, however it misbehaves.
linger='trap "" TERM HUP INT; turns=0; while [ $turns -lt 60 ]; do sleep 1; turns=$((turns + 1)); done'
for word in "$@"; do
  case $word in
    stubborn)
      stubborn=yes
      trap '' TERM INT HUP
      ;;
    setsid)
      setsid sh -c "$linger" </dev/null >/dev/null 2>&1 &
      (setsid sh -c "($linger) &" </dev/null >/dev/null 2>&1)
      ;;
    cleared)
      env -i setsid sh -c "echo \$\$ >>'$PIDS_FILE'; $linger" </dev/null >/dev/null 2>&1 &
      sh -c "env -i setsid sh -c \"echo \\\$\\\$ >>'$PIDS_FILE'; exec sleep 60\" & wait" </dev/null >/dev/null 2>&1 &
      while [ "$(wc -l <"$PIDS_FILE")" -lt 2 ]; do sleep 0.01; done
      ;;
  esac
done
tool() { printf '{"name":"%s","inputSchema":{"type":"object"}}' "$1"; }
while read -r line; do
  id=${line##*\"id\":}
  id=${id%%[,\}]*}
  case $line in
    *'"method":"initialize"'*)
      answer='"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"stubborn","version":"1"}}'
      ;;
    *'"method":"tools/list"'*) answer="\"result\":{\"tools\":[$(tool echo),$(tool wait)]}" ;;
    *'"name":"wait"'*)
      : >"$READY_FILE"
      continue
      ;;
    *'"method":"tools/call"'*) answer='"result":{"content":[{"type":"text","text":"hi"}]}' ;;
    *'"method":"notifications/'*) continue ;;
    *) answer='"error":{"code":-32601,"message":"Method not found"}' ;;
  esac
  printf '{"jsonrpc":"2.0","id":%s,%s}\n' "$id" "$answer"
done
if [ "$stubborn" = yes ]; then sh -c "$linger"; fi
