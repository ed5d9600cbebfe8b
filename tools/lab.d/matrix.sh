# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The matrix of kernels and topologies, for tools/lab: tests/lab/cells says what runs where.

# Fill cells (KERNEL TOPOLOGY LIST SUITES) and, by number, cell_append, and by
# number and suite, cell_args, with the cells that are chosen.
load_cells() { # PATTERN...
	local line key n=-1 fields
	cells=()
	declare -gA cell_append=() cell_args=()
	while IFS= read -r line; do
		case $line in
		'#'* | '') ;;
		[[:space:]]*)
			((n >= 0)) || continue
			read -r key line <<<"$line"
			if [[ $key == append: ]]; then
				cell_append[$n]=$line
			else
				cell_args[$n,${key%:}]=$line
			fi
			;;
		*)
			read -ra fields <<<"$line"
			((${#fields[@]} == 4)) || fail 125 "tests/lab/cells: not a cell: $line"
			n=-1
			if chosen "${fields[@]}" "$@"; then
				cells+=("$line")
				n=$((${#cells[@]} - 1))
			fi
			;;
		esac
	done <"$repo/tests/lab/cells"
	((${#cells[@]})) || fail 125 "no such cell in tests/lab/cells: $*"
}

# Without patterns, the cells of the list; with any, those that match one.
chosen() { # KERNEL TOPOLOGY LIST SUITES PATTERN...
	local kernel=$1 topology=$2 list=$3 pattern
	shift 4
	if (($# == 0)); then
		[[ $list == ci || -n $all ]]
		return
	fi
	for pattern; do
		# shellcheck disable=SC2053 # a pattern
		if [[ $kernel == $pattern || $kernel/$topology == $pattern ]]; then
			return 0
		fi
	done
	return 1
}

# Run one cell; its verdict, a TAP line without number and comments, goes to DIR/verdict.
cell() { # NUMBER DIR
	local kernel topology list suites suite status=0 begun=$SECONDS failed=0 checks=0 keep=()
	local dir=$2 good n args
	read -r kernel topology list suites <<<"${cells[$1]}"
	rm -rf "$dir"
	mkdir -p "$dir"
	if [[ ,$suites, == *,memory,* ]]; then
		keep=(--memory "$dir/memory.ram")
	fi
	"$here/lab" run -t "$cell_limit" -o "$dir" -f "$repo/tests/lab" "${keep[@]}" \
		--append "${cell_append[$1]:-}" "$kernel" "$topology" -- \
		sh /in/lab/guest.sh "${suites//,/ }" >"$dir/log" 2>&1 || status=$?
	{
		if ((status == 77)); then
			echo "ok - $kernel $topology # SKIP $(grep '^lab: ' "$dir/log" | tail -n 1)"
			return
		elif ((status != 0)); then
			echo "not ok - $kernel $topology: the guest ended with status $status"
			tail -n 12 "$dir/log" | sed 's/^/#   /'
			return
		fi
		for suite in ${suites//,/ }; do
			read -ra args <<<"${cell_args[$1,$suite]:-}"
			good=0
			timeout 120 python3 "$repo/tests/lab/check_$suite.py" "${args[@]}" "$dir/$suite" \
				>"$dir/$suite.tap" 2>&1 || good=$?
			n=$(grep -c '^not ok' "$dir/$suite.tap" || true)
			checks=$((checks + $(grep -cE '^(not )?ok' "$dir/$suite.tap" || true)))
			if ((n)); then
				grep -A1 '^not ok' "$dir/$suite.tap" | grep -E '^not ok|^#' |
					sed "s/^/#   $suite: /"
			elif ((good)) || ! grep -q '^ok' "$dir/$suite.tap"; then
				n=1
				tail -n 5 "$dir/$suite.tap" | sed "s/^/#   $suite broke off: /"
			fi
			failed=$((failed + n))
		done
		if ((failed)); then
			good="not ok - $kernel $topology: $failed of"
		else
			good="ok - $kernel $topology:"
		fi
		echo "$good $checks checks ($suites), $((SECONDS - begun)) s"
	} >"$dir/verdict.new"
	rm -f "$dir/memory.ram"
}

# Print the verdicts that are there, the TAP line before its comments.
tell() { # DIR
	local line dir=$1
	line=$(grep -E '^(not )?ok' "$dir/verdict")
	told=$((told + 1))
	case $line in
	*'# SKIP'*) skipped=$((skipped + 1)) ;;
	ok*) passed=$((passed + 1)) ;;
	*) lost=$((lost + 1)) ;;
	esac
	printf '%s\n' "${line/ok -/ok $told -}"
	grep -vE '^(not )?ok' "$dir/verdict" || true
}

matrix() {
	local all='' jobs=$guests_max out=$cache/matrix table='' i dir told=0 passed=0 skipped=0 lost=0
	local waiting=() left=()
	cell_limit=900
	while (($#)); do
		case $1 in
		--all) all=1 ;;
		-j | -t | -o | --table)
			(($# > 1)) || fail 125 "option $1 needs a value"
			case $1 in
			-j) jobs=$2 ;;
			-t) cell_limit=$2 ;;
			-o) out=$2 ;;
			--table) table=$2 ;;
			esac
			shift
			;;
		-*) fail 125 "unknown option '$1' (see: lab --help)" ;;
		*) break ;;
		esac
		shift
	done
	[[ $jobs =~ ^[1-9]$ ]] || fail 125 "-j takes 1 to 9 guests at a time"
	load_cells "$@"
	rm -rf "$out"/[0-9]*-*-*	# of an earlier run
	echo "1..${#cells[@]}"
	for ((i = 0; i < ${#cells[@]} || ${#waiting[@]}; )); do
		if ((i < ${#cells[@]} && ${#waiting[@]} < jobs)); then
			dir=$out/$i-$(awk '{ print $1 "-" $2 }' <<<"${cells[$i]}")
			mkdir -p "$out"
			rm -f "$dir/verdict"
			{
				trap - EXIT
				cell "$i" "$dir"
				mv "$dir/verdict.new" "$dir/verdict"
			} &
			waiting+=("$dir")
			i=$((i + 1))
			continue
		fi
		left=()
		for dir in "${waiting[@]}"; do
			if [[ -e $dir/verdict ]]; then
				tell "$dir"
			else
				left+=("$dir")
			fi
		done
		waiting=("${left[@]}")
		sleep 0.3
	done
	echo "$passed passed, $lost failed, $skipped skipped"
	if [[ -n $table ]]; then
		python3 "$repo/tests/lab/kernels_table.py" "$out" >"$table"
	fi
	((lost == 0))
}
