# A worker: prompt, folder for notes. It writes what its prompt says it owes, lives long enough to be waited for, and
# notes the time as its last act, which a builtin does, so that nothing is started for it.
while IFS= read -r line; do
  case "$line" in
  '**Result Path:** '* | '**Worker Result Path:** '*)
    printf '{"verification":{"verdict":"pass"}}' >"${line#*:\*\* }"
    ;;
  esac
done <"$1"
sleep 0.3
printf %s "$EPOCHREALTIME" >"$2/$BAILIWICK_DISPATCH_ID"
