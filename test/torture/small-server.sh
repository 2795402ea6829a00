# A server that starts in a millisecond, since it is started some ten thousand times: one tool of each kind that the
# torture needs, a resource and a prompt. It knows no more JSON than it needs: a method, an id and a member or two.
more=

# The first member of that name in the line, as it stands there.
member() {
  value=${line#*\"$1\":}
  [ "$value" = "$line" ] && value= && return
  case $value in
    \"*) value=${value#\"} value=${value%%\"*} ;;
    *) value=${value%%[,\}]*} ;;
  esac
}
answer() { printf '{"jsonrpc":"2.0","id":%s,"result":%s}\n' "$id" "$1"; }
say() { answer "{\"content\":[{\"type\":\"text\",\"text\":\"$1\"}]}"; }
tool() { printf '{"name":"%s","description":"Does %s.","inputSchema":{"type":"object","properties":{%s}}}' "$1" "$1" "$2"; }

run() {
  member name
  case $value in
    echo) member text && say "$value" ;;
    long) say "$(printf '%0200000d' 0)" ;;
    crash) exit 3 ;;
    complain) echo 'this is wrong' >&2 && say complained ;;
    grow)
      more=",$(tool late)"
      printf '{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}\n'
      say grown
      ;;
  esac
}

while IFS= read -r line; do
  member id
  id=$value
  [ -z "$id" ] && continue
  member method
  case $value in
    initialize)
      member protocolVersion
      answer "{\"protocolVersion\":\"$value\",\"capabilities\":{\"tools\":{\"listChanged\":true},\"resources\":{\"subscribe\":true},\"prompts\":{}},\"serverInfo\":{\"name\":\"small\",\"version\":\"1.0.0\"}}"
      ;;
    tools/list) answer "{\"tools\":[$(tool echo '"text":{"type":"string"}'),$(tool long),$(tool crash),$(tool complain),$(tool grow)$more]}" ;;
    tools/call) run ;;
    resources/list) answer '{"resources":[{"uri":"note://one","name":"one"}]}' ;;
    resources/templates/list) answer '{"resourceTemplates":[]}' ;;
    resources/read) answer '{"contents":[{"uri":"note://one","text":"a note"}]}' ;;
    prompts/list) answer '{"prompts":[{"name":"greet","arguments":[{"name":"who"}]}]}' ;;
    prompts/get) answer '{"messages":[{"role":"user","content":{"type":"text","text":"Hello."}}]}' ;;
    ping | resources/subscribe | resources/unsubscribe) answer '{}' ;;
    *) printf '{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"Method not found"}}\n' "$id" ;;
  esac
done
