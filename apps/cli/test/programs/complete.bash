# Completes as readline does, each line of words that `;;` ends: the words, and the number of the one that is being typed.
source <(bailiwick completion bash)
typed=()
for word in "$@"; do
  if [ "$word" != ';;' ]; then
    typed+=("$word")
    continue
  fi
  COMP_WORDS=(bailiwick "${typed[@]}")
  COMP_CWORD=${#typed[@]}
  _bailiwick
  printf '%s\n' "${COMPREPLY[@]}" ';;'
  typed=()
done
