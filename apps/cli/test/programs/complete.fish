# Each argument is a line so far; `;;` ends what may follow it.
bailiwick completion fish | source
for typed in $argv
    complete --do-complete "$typed"
    echo ';;'
end
