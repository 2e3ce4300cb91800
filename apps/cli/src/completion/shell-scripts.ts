/** The shells that are completed in. */
export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

/** Asks the program itself, so that a script goes on fitting when commands change. Works with bash 3.2, the one of macOS, too. */
const BASH = `# bash completion of bailiwick: source <(bailiwick completion bash)
_bailiwick() {
  local line adds='' current="\${COMP_WORDS[COMP_CWORD]}"
  [ "$current" = '=' ] && current=''
  COMPREPLY=()
  while IFS= read -r line; do
    case "$line" in
      :*) adds="\${line#:}" ;;
      *) COMPREPLY+=("\${line%%$'\\t'*}") ;;
    esac
  done < <(command bailiwick __complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  case "$adds" in
    files) while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -f -- "$current") ;;
    folders) while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -d -- "$current") ;;
    *) return ;;
  esac
  type compopt >/dev/null 2>&1 && compopt -o filenames 2>/dev/null
}
complete -F _bailiwick bailiwick
`;

const ZSH = `#compdef bailiwick
# zsh completion of bailiwick: source <(bailiwick completion zsh), or as _bailiwick in a folder of fpath
_bailiwick() {
  local line value about adds=''
  local -a found
  while IFS= read -r line; do
    case "$line" in
      (:*) adds="\${line#:}" ;;
      (*)
        value="\${line%%$'\\t'*}" about="\${line#*$'\\t'}"
        found+=("\${value//:/\\\\:}\${about:+:$about}") ;;
    esac
  done < <(command bailiwick __complete -- "\${(@Q)words[2,CURRENT]}" 2>/dev/null)
  (( \${#found} )) && _describe 'bailiwick' found
  case "$adds" in
    (files) _files ;;
    (folders) _files -/ ;;
  esac
}
if [ "\${funcstack[1]}" = '_bailiwick' ]; then _bailiwick "$@"; else compdef _bailiwick bailiwick; fi
`;

const FISH = `# fish completion of bailiwick: bailiwick completion fish | source
function __bailiwick_complete
    set -l words (commandline --cut-at-cursor --current-process --tokenize)
    set -l token (commandline --cut-at-cursor --current-token)
    set -l current (string unescape -- "$token")
    set --erase words[1]
    for line in (command bailiwick __complete -- $words "$current" 2>/dev/null)
        switch $line
            case ':files'
                __fish_complete_path "$current"
            case ':folders'
                __fish_complete_directories "$current"
            case ':*'
            case '*'
                echo $line
        end
    end
end
complete --command bailiwick --no-files --arguments '(__bailiwick_complete)'
`;

/** What a shell is to source, so that it completes this command line. */
export const COMPLETION_SCRIPTS: Readonly<Record<Shell, string>> = { bash: BASH, zsh: ZSH, fish: FISH };
