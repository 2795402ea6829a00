# A small stdio MCP server in its own process, so that a thousand fit on one machine. A script that sets `tools` to its JSON
# list sources this file. It exits when its input ends.
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
