# Completes as readline does: the words, and the number of the one that is being typed.
source <(bailiwick completion bash)
COMP_WORDS=(bailiwick "$@")
COMP_CWORD=$#
_bailiwick
printf '%s\n' "${COMPREPLY[@]}"
