# One writer: triples of operation, path and a second path. What it has done stands in its ledger, outside the tree.
ledger=$1; shift
note() { printf '%s\n' "$1" >> "$ledger"; }
while [ $# -ge 3 ]; do
  op=$1 path=$2 other=$3; shift 3
  case $op in
    edit) [ -f "$path" ] && printf x >> "$path" && note "$path" ;;
    create) printf '%s' "$ledger" > "$path" && note "$path" ;;
    remove) rm "$path" && note "$path" ;;
    chmod) chmod 711 "$path" && note "$path" ;;
    carry) cp "$path" "$other" && note "$other" && rm "$path" && note "$path" ;;
    rename) [ "$path" != "$other" ] && mv -f "$path" "$other" && note "$path" && note "$other" ;;
    mkdir) mkdir "$path" && note "$path" ;;
    rmdir) rmdir "$path" && note "$path" ;;
    link) ln -s nowhere "$path" && note "$path" ;;
    unlink) rm "$path" && note "$path" ;;
  esac 2>/dev/null
done
exit 0
