#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# numatrace top on a terminal: keys, sizes, and the terminal as it was on every way out. Prints
# TAP. Needs root and tmux.
# shellcheck disable=SC2016
set -u
# shellcheck source=tests/live/lib.sh
. "$(dirname "$0")/lib.sh"

here=$(dirname "$0")
nt=$(readlink -f "$nt")
unset NO_COLOR TMUX
# A large tree of small files, which a disk takes a minute for.
large=$(mktemp -d -p /dev/shm 2> /dev/null || mktemp -d)
trap 'T kill-server 2> /dev/null; rm -rf "$tmp" "$large"' EXIT

T() {
	tmux -S "$tmp/tmux" -f /dev/null "$@"
}

keys() {
	T send-keys -t t "$@"
}

screen() {
	T capture-pane -p -t t
}

until_screen() {	# PATTERN: at most 10 s until it is there
	local i
	for ((i = 0; i < 200; i++)); do
		screen 2> /dev/null | grep -q -- "$1" && return 0
		sleep 0.05
	done
	screen | sed 's/^/#  /'
	return 1
}

shows() {	# PATTERN WHAT
	until_screen "$1"; ok $? "$2"
}

until_gone() {	# PID: at most 5 s
	local i
	for ((i = 0; i < 100; i++)); do
		[ -d "/proc/$1" ] || return 0
		sleep 0.05
	done
	return 1
}

# A shell without job control and line editing, so that it does not repair the terminal.
open() {	# WIDTH HEIGHT
	T new-session -d -x "$1" -y "$2" -s t \
		"ulimit -c 0; echo ready; while read -r line; do eval \"\$line\"; echo \"done \$?.\"; done"
	until_screen '^ready'
	tty=$(T display -p -t t '#{pane_tty}')
}

close() {
	local server
	server=$(T display -p -t t '#{pid}')
	T kill-server
	until_gone "$server"
}

modes() {	# of the terminal, and what an application can leave behind in it
	stty -g -F "$tty"
	T display -p -t t 'alternate #{alternate_on} cursor #{cursor_flag} keypad #{keypad_flag}'
}

# On a blank screen, so that nobody takes what an earlier command left there for an answer.
enter() {	# LINE
	T send-keys -R -t t
	T clear-history -t t
	keys "$1" Enter
}

change() {	# LINE: something in the shell
	enter "$1"
	until_screen '^done 0\.$'
}

start() {	# OPTION...: and the first numbers are there
	enter "$nt top $*"
	until_screen ' over ' || return 1
	pid=$(pgrep -n -x numatrace -t "${tty#/dev/}")
}

ended() {	# STATUS WHAT: the command ended so, and left the terminal as it was
	until_screen "^done $1\\.$"; ok $? "$2: status $1"
	is "$(modes)" "$before" "$2: the terminal is as it was"
}

open 80 24
before=$(modes)

# What it shows, and each key.
start -i 200ms; ok $? "there are numbers after an interval"
[ "$(modes)" != "$before" ]; ok $? "the terminal is taken over"
shows "^ numatrace top .* $(nproc --all) CPUs" "the title names the CPUs"
is "$(screen | sed -n '2s/ .*//p')" NODE "nodes come first"
for node in /sys/devices/system/node/node[0-9]*; do
	shows "^ *${node##*node}  *[0-9]" "node ${node##*node} has a line"
done
shows '^MIGRATIONS/s  [0-9]' "migrations are counted"
shows 'TASK .*LAST MOVE' "there is a table of tasks"
if "$nt" features | grep -q '^ *balance *yes'; then
	shows '^BALANCE/s' "there is load balancing by level"
else
	shows '^Load balancing: not available: ' "it says why there is no load balancing"
fi
keys p; shows 'PAUSED, over' "p pauses"
frozen=$(screen); sleep 0.6; is "$(screen)" "$frozen" "in a pause nothing changes"
keys ' '; shows 'CPUs  over' "space goes on"
keys s; shows 's sort: moves across nodes' "s sorts otherwise"
keys s; shows 's sort: total moves' "and again"
keys s; shows 's sort: moves  ' "and is back at moves"
keys +; shows 'every 500 ms' "+ makes the interval longer"
keys - -; shows 'every 100 ms' "- makes it shorter"
keys h; shows 'this help; any key ends it' "h helps"
keys x; shows '^NODE' "any key ends the help"
for size in 120x40 40x10 200x60 80x24; do
	T resize-window -t t -x "${size%x*}" -y "${size#*x}"
	for ((i = 0; i < 100; i++)); do
		screen | sed -n "${size#*x}p" | grep -q '^ q quit' && screen | head -1 | grep -qE ' over [0-9.]+ m?s$' && break
		sleep 0.05
	done
	is "$(screen | grep -n '^ q quit' | cut -d : -f 1)" "${size#*x}" "at $size the last line is at the bottom"
	# Of the title, which ends one column before the screen does.
	is "$(screen | head -1 | awk '{ print length }')" $((${size%x*} - 1)) "and at $size it is as wide"
done
keys q; ended 0 "q"
screen | grep -q MIGRATIONS; [ $? = 1 ]; ok $? "q: nothing of it stays on the screen"

# Every way out.
start -i 200ms; keys C-c; ended 0 "^C"
for sig in TERM INT HUP QUIT; do
	start -i 200ms; kill -s $sig "$pid"; ended 0 "SIG$sig"
done
for sig in SEGV ABRT BUS USR1; do
	start -i 200ms; kill -s $sig "$pid"; ended $((128 + $(kill -l $sig))) "SIG$sig"
done
start -i 200ms; keys h; until_screen 'this help'; keys q; ended 0 "q out of the help"
start -i 200ms; keys p; until_screen PAUSED; kill "$pid"; ended 0 "SIGTERM in a pause"
start -i 200ms; keys C-s; sleep 0.3; keys s; shows 'across nodes  +' "^S stops nothing"
kill "$pid"; ended 0 "SIGTERM after ^S"
enter "$nt top -i 100ms -n 3"; ended 0 "-n 3"
enter "TERM=none-such $nt top 2> $tmp/stderr"; ended 125 "an unknown terminal"
one_line "'none-such'" TERM; ok $? "an unknown terminal is named in one line"

# Colors, or none.
raw() {	# NAME COMMAND...: what was sent to the terminal
	local name=$1
	shift
	T pipe-pane -t t "cat > $tmp/$name"
	start "$@"; keys q; until_screen '^done 0\.$'
	T pipe-pane -t t
}
raw colored -i 200ms
grep -q $'\e\\[[0-9;]*3[123]m' "$tmp/colored"; ok $? "there are colors"
change "export NO_COLOR=1"
raw plain -i 200ms
grep -q $'\e\\[[0-9;]*3[123]m' "$tmp/plain"; [ $? = 1 ]; ok $? "NO_COLOR: there are none"

# A name that would set the title of the terminal, and moves whose number is known: numatrace
# reads nothing while they are made, and nobody else moves a task that may run on one CPU.
if [ "$(nproc)" -ge 2 ]; then
	taskset -c 0 perl -e 'open F, ">", "/proc/self/comm"; print F "\e]0;owned\a"; close F;
		open F, ">", $ARGV[0]; close F; 1 while 1' "$tmp/spins" & mover=$!
	wait_for_file "$tmp/spins"
	T pipe-pane -t t "cat > $tmp/raw"
	enter "$nt top -i 5s"
	until_screen 'first numbers'
	keys p; until_screen PAUSED
	for ((i = 0; i < 20; i++)); do
		taskset -pc 1 $mover; taskset -pc 0 $mover
	done > /dev/null
	keys p; until_screen ' over '
	row=$(screen | grep "^ *$mover ")
	is "$(awk '{ print $5 }' <<< "$row")" 40 "40 moves of a task are 40"
	is "$(awk '{ print $6, $7, $8 }' <<< "$row" | sed 's/[0-9]*://g')" "1 -> 0" "and the last one is shown"
	dt=$(screen | awk 'NR == 1 { print $NF == "ms" ? $(NF - 1) / 1000 : $(NF - 1) }')
	awk -v row="$row" -v dt="$dt" 'BEGIN { split(row, f); v = f[3] * dt; exit !(v > 35 && v < 45) }'
	ok $? "and its rate is theirs: $(awk '{ print $3 }' <<< "$row")/s over $dt s"
	is "$(cut -c 10-25 <<< "$row")" '\x1b]0;owned\x07' "a name with control bytes is spelled out"
	keys q; ended 0 "q after that"
	T pipe-pane -t t
	grep -q $'\e]0;owned' "$tmp/raw"; [ $? = 1 ]; ok $? "no control byte of a name reaches the terminal"
	kill $mover
	wait $mover 2> /dev/null
else
	skip "moves of a known number" "one CPU"
fi

# Less of a kernel, less of a user.
change "export NUMATRACE_DENY=iterator"
start -i 200ms
shows '^Runnable tasks: not available: ' "without iterators it says so"
shows '^MIGRATIONS/s  [0-9]' "and counts migrations"
keys q; ended 0 "q without iterators"
change "unset NUMATRACE_DENY"
enter "setpriv --reuid 65534 --regid 65534 --clear-groups $nt top -i 200ms"
until_screen ' over '
shows '^Migrations, load balancing, runnable tasks: not available: ' "without privileges it says so"
shows 'run as root' "and what helps"
shows '^ *[0-9]* .*\[.*\]  *[0-9.]*  *[0-9.]*  *[0-9.]*$' "and has CPU time"
keys q; ended 0 "q without privileges"

# A machine of 64 nodes and 8192 CPUs, from files.
"$here/../fixtures/make-machine" 64 128 8 8 6.12.0 "$large"
awk 'BEGIN { for (i = -1; i < 8192; i++) print "cpu" (i < 0 ? " " : i), 5 * i, 0, 3 * i, 1000, 0, 0, 0, 0, 0, 0 }' \
	> "$large/proc/stat"
change "export NUMATRACE_ROOT=$large"
start -i 100ms
shows ' 64 nodes, 8192 CPUs ' "64 nodes: the title has them all"
shows ' 63 .*%\| 63 .* -' "64 nodes: the last one is there"
keys q; ended 0 "q with 64 nodes"
enter "{ time $nt top -i 10ms -n 1; } 2> $tmp/time; echo done \$?."
until_screen '^done 0'
took=$(awk '/user|sys/ { split($2, t, "[ms]"); s += 60 * t[1] + t[2] } END { print s }' "$tmp/time")
awk -v t="$took" 'BEGIN { exit !(t > 0 && t <= 0.5) }'
ok $? "64 nodes, 8192 CPUs: from the start to the first numbers in $took s of CPU time, at most 0.5"

# ^Z, with a shell that has job control.
close
T new-session -d -x 80 -y 24 -s t 'PS1="ready> " bash --norc --noprofile'
until_screen '^ready>'
tty=$(T display -p -t t '#{pane_tty}')
left=$(modes | tail -1)
start -i 200ms
keys C-z; shows 'Stopped' "^Z stops it"
is "$(modes | tail -1)" "$left" "^Z: the terminal is back"
keys fg Enter; shows '^MIGRATIONS/s' "fg draws it anew"
keys q; until_gone "$pid"; keys 'echo "done $?."' Enter; shows '^done 0\.$' "q after ^Z: status 0"
is "$(modes | tail -1)" "$left" "q after ^Z: the terminal is back"

# A terminal that goes away.
start -i 200ms
close
until_gone "$pid"; ok $? "it ends with its terminal"
open 80 24
change "trap '' HUP"
start -i 200ms
close
until_gone "$pid"; ok $? "even if it is told to ignore hangups"

# A terminal that takes no output, as one behind a line that is down: not even this holds it.
open 200 60
start -i 10ms
server=$(T display -p -t t '#{pid}')
switches() {
	awk '/ctxt_switches/ { s += $2 } END { print s }' "/proc/$pid/status"
}
kill -STOP "$server"
for ((i = 0; i < 60; i++)); do
	was=$(switches); sleep 0.5; now=$(switches)
	[ "$now" = "$was" ] && break
done
is "$now" "$was" "it waits for a terminal that takes no output"
kill "$pid"
until_gone "$pid"; ok $? "and ends all the same when it is asked to"
kill -CONT "$server"
close

# No terminal at all, and options that are none.
is "$(status_of "$nt" top < /dev/null)" 125 "no terminal: status 125"
one_line terminal "numatrace run -a"; ok $? "one line says what to do instead"
for bad in "-i 0" "-i 1ms" "-i 1x" "-n 0" "-n x" "--what" "-i" "word"; do
	# shellcheck disable=SC2086
	is "$(status_of "$nt" top $bad < /dev/null)" 125 "top $bad: status 125"
	one_line top; ok $? "top $bad: one line"
done
"$nt" top --help | grep -q '^Usage: numatrace top'; ok $? "--help needs no terminal"
finish
