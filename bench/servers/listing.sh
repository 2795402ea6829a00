# A stdio MCP server that is a real process and weighs next to nothing, so that a thousand fit on one machine. It is read
# by a script that has set `tools` to the JSON of its list; it ends with its input.
while read -r line; do
  case $line in *'"id":'*) ;; *) continue ;; esac
  id=${line#*'"id":'}
  id=${id%%[,\}]*}
  case $line in
  *'"method":"initialize"'*)
    version=${line#*'"protocolVersion":"'}
    outcome="\"result\":{\"protocolVersion\":\"${version%%\"*}\",\"capabilities\":{\"tools\":{}},\"serverInfo\":{\"name\":\"listing\",\"version\":\"1.0.0\"}}"
    ;;
  *'"method":"tools/list"'*) outcome="\"result\":{\"tools\":$tools}" ;;
  *) outcome='"error":{"code":-32601,"message":"Method not found"}' ;;
  esac
  printf '{"jsonrpc":"2.0","id":%s,%s}\n' "$id" "$outcome"
done
