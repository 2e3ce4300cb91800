# Completes without the line editor: what `_describe` and `_files` would draw as menus is printed.
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
words=(bailiwick "${(@q)@}")
CURRENT=$#words
_bailiwick
true
