# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Topologies, and the boot of one guest, for tools/lab.

# Fill machine (QEMU arguments) and machine_append for a topology.
load_topology() { # NAME
	local line known='' fields
	machine=()
	machine_append=
	while IFS= read -r line; do
		case $line in
		'#'* | '') ;;
		[[:space:]]*append:*)
			[[ -z $known ]] || machine_append+=" ${line#*append:}"
			;;
		[[:space:]]*)
			if [[ -n $known ]]; then
				read -ra fields <<<"$line"
				machine+=("${fields[@]}")
			fi
			;;
		"$1":*) known=1 ;;
		*) known= ;;
		esac
	done <"$data/topologies"
	((${#machine[@]})) || fail 125 "no topology named '$1' (see: lab list)"
}

# Wait until fewer than guests_max guests run.
take_slot() {
	local i
	while :; do
		for ((i = 0; i < guests_max; i++)); do
			exec {slot}>"$cache/slot.$i"
			if flock -n "$slot"; then
				return
			fi
			exec {slot}>&-
		done
		sleep 0.3
	done
}

# Boot once. Returns 0 with status set if the command ended, 1 if the guest
# died, 2 if the time was up.
boot() { # KERNEL
	local end=$((SECONDS + limit)) reply monitor=none
	tee "$scratch"/{console,output,files,control,qemu} </dev/null
	if [[ -n $memory ]]; then
		rm -f "$scratch"/monitor.{in,out}
		mkfifo "$scratch"/monitor.{in,out}
		monitor=pipe:$scratch/monitor
	fi
	# Two serial ports must not share an interrupt: QEMU would lose edges.
	timeout -s KILL $((limit + 30)) \
		qemu-system-x86_64 -accel "tcg,thread=${LAB_THREAD:-single}" \
		-machine q35 -cpu max -display none -monitor "$monitor" -nodefaults -nic none \
		-no-reboot -no-user-config "${machine[@]}" \
		-chardev "file,id=console,path=$scratch/console" -device isa-serial,index=0,chardev=console \
		-chardev "file,id=output,path=$scratch/output" -device isa-serial,index=1,chardev=output \
		-chardev "file,id=files,path=$scratch/files" -device isa-serial,index=2,irq=10,chardev=files \
		-chardev "file,id=control,path=$scratch/control" -device isa-serial,index=3,irq=11,chardev=control \
		-kernel "$1" -initrd "$scratch/initrd" \
		-append "console=ttyS0 quiet panic=-1 oops=panic$machine_append $append" \
		</dev/null >"$scratch/qemu" 2>&1 &
	guest=$!
	while :; do
		reply=$(<"$scratch/control")
		if [[ $reply =~ status\ ([0-9]+)\.$ ]]; then
			status=${BASH_REMATCH[1]}
			[[ -z $memory ]] || save_memory
			stop_guest
			return 0
		fi
		if ! kill -0 "$guest" 2>/dev/null; then
			guest=
			# The last word may have come after our look.
			[[ $(<"$scratch/control") == *status*. ]] || return 1
			continue
		fi
		if ((SECONDS >= end)); then
			stop_guest
			return 2
		fi
		sleep 0.1
	done
}

# The guest waits meanwhile: /lab/hold is there. The monitor answers with a prompt
# before and after the command.
save_memory() {
	local size=0 word word_before=
	for word in "${machine[@]}"; do
		[[ $word_before != -m ]] || size=${word%G}
		word_before=$word
	done
	echo "pmemsave 0 $((size << 30)) \"$memory\"" >"$scratch/monitor.in"
	timeout 60 grep -qm2 -a '(qemu)' <(tr '\r' '\n' <"$scratch/monitor.out") || true
	echo "stop" >"$scratch/monitor.in"
	sleep 2
}

stop_guest() {
	if [[ -n $guest ]]; then
		kill -TERM "$guest" 2>/dev/null || true
		wait "$guest" 2>/dev/null || true
		guest=
	fi
}

show_console() {
	tr -d '\r' <"$scratch/console" | grep -v '^$' | tail -n 25 >&2 || true
}
