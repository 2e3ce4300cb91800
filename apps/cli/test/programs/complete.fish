# The line so far is the one argument.
bailiwick completion fish | source
complete --do-complete "$argv[1]"
