# Completes without the line editor: what `_describe` and `_files` would draw as menus is printed. Each line of words ends with `;;`.
compdef() { : }
_describe() {
  local -a all=("${(@P)2}")
  local begun=${(Q)words[CURRENT]}
  print -rl -- "${(@M)${(@)all%%:*}:#${begun}*}"
}
_files() {
  local begun=${(Q)words[CURRENT]}
  if [[ $1 == -/ ]]; then print -rl -- $begun*(/N); else print -rl -- $begun*(N); fi
}
source <(bailiwick completion zsh)
typed=()
for word in "$@"; do
  if [[ $word != ';;' ]]; then
    typed+=("$word")
    continue
  fi
  words=(bailiwick "${(@q)typed}")
  CURRENT=$#words
  _bailiwick
  print -r -- ';;'
  typed=()
done
true
