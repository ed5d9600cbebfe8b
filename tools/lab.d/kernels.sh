# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Kernels from the archive, for tools/lab.

# The mirror of the machine's own apt sources whose last folder is $1.
mirror() {
	local uri
	# shellcheck disable=SC2016 # for apt to expand
	uri=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' \
		2>/dev/null | sed 's,/*$,,' | grep -m1 "/$1\$") || true
	printf '%s\n' "${uri:-http://deb.debian.org/$1}"
}

# Run an apt program on a state of our own.
private_apt() { # PROGRAM ARG...
	local program=$1
	shift
	"$program" -q \
		-o Dir::State="$cache/apt/state" \
		-o Dir::State::status="$cache/apt/status" \
		-o Dir::Cache="$cache/apt/cache" \
		-o Dir::Etc::sourcelist="$cache/apt/sources.list" \
		-o Dir::Etc::sourceparts=/dev/null \
		-o Dir::Etc::preferences=/dev/null \
		-o Dir::Etc::preferencesparts=/dev/null \
		-o APT::Architecture=amd64 -o APT::Architectures=amd64 \
		-o APT::Sandbox::User=root -o Acquire::Languages=none \
		-o Acquire::Retries=2 "$@"
}

# Bring the package lists up to date; kept for a day.
update_lists() {
	local main security suite
	if [[ -n $(find "$cache/apt/kernels" -mtime -1 -size +0 2>/dev/null) ]]; then
		return
	fi
	mkdir -p "$cache"/apt/{state/lists/partial,cache/archives/partial}
	: >"$cache/apt/status"
	main=$(mirror debian)
	security=$(mirror debian-security)
	{
		for suite in bullseye bookworm bookworm-backports trixie \
			trixie-backports sid; do
			echo "deb [arch=amd64 signed-by=$keyring] $main $suite main"
		done
		for suite in bullseye bookworm trixie; do
			echo "deb [arch=amd64 signed-by=$keyring] $security $suite-security main"
		done
	} >"$cache/apt/sources.list"
	# One suite that is gone must not spoil the others.
	private_apt apt-get update >"$cache/apt/log" 2>&1 || true
	private_apt apt-cache dumpavail 2>>"$cache/apt/log" | awk '
		/^Package: / { name = $2 }
		/^Version: / && name ~ /^linux-(image|binary)-[0-9]+\.[0-9]+\.[0-9].*-amd64(-unsigned)?$/ {
			print name, $2 }' >"$cache/apt/kernels" || true
	if [[ ! -s $cache/apt/kernels ]]; then
		fail 77 "no package list: $(grep -m1 -E '^[EW]: ' "$cache/apt/log" ||
			echo 'apt-get update failed')"
	fi
}

# Packages that hold a kernel of the series, best first: the cloud flavour, not
# rebuilt for an older release, then the newest. A series named with -rt is of
# the PREEMPT_RT flavour.
candidates() { # SERIES
	awk -v series="$1" '
		BEGIN { rt = sub(/-rt$/, "", series); sub(/x$/, "", series); sub(/\.$/, "", series) }
		index($2, series ".") == 1 && ($1 ~ /-rt-/) == rt {
			print ($1 ~ /-cloud-/ ? 0 : 1), ($1 ~ /deb11/ ? 1 : 0), $2,
				($1 ~ /^linux-binary/ ? 0 : $1 ~ /unsigned$/ ? 2 : 1), $1
		}' "$cache/apt/kernels" | sort -u -k1,1n -k2,2n -k3,3Vr -k4,4n | awk '{ print $5 "=" $3 }'
}

# Path of the kernel image, fetched first if it is not in the cache.
fetch_kernel() { # SERIES
	local name=$1 dir="$cache/kernels/$1" tmp package image lock tries=0
	local found=()
	if [[ $name == */* ]]; then
		[[ -r $name ]] || fail 77 "cannot read kernel $name"
		readlink -f "$name"
		return
	fi
	[[ $name =~ ^[0-9]+\.([0-9]+(\.[0-9]+)?|x)(-rt)?$ ]] ||
		fail 125 "no kernel named '$name' (see: lab list)"
	if [[ ! -e $dir/vmlinuz ]]; then
		require apt-get:apt dpkg-deb:dpkg
		[[ -r $keyring ]] || fail 77 "kernel $name: no $keyring (package debian-archive-keyring)"
		mkdir -p "$cache/apt" "$cache/kernels"
		exec {lock}>"$cache/apt/lock"
		flock "$lock"
		if [[ ! -e $dir/vmlinuz ]]; then
			update_lists
			mapfile -t found < <(candidates "$name")
			((${#found[@]})) || fail 77 "kernel $name: the archive has no such kernel"
			tmp=$(mktemp -d "$cache/kernels/.new.XXXXXX")
			image=
			for package in "${found[@]:0:8}"; do
				tries=$((tries + 1))
				if (cd "$tmp" && private_apt apt-get download "$package") \
					>>"$cache/apt/log" 2>&1; then
					dpkg-deb -x "$tmp"/*.deb "$tmp/root" || break
					image=$(find "$tmp/root" -name 'vmlinuz*' -type f -print -quit)
					[[ -z $image ]] || break
				fi
				rm -rf "${tmp:?}"/*
			done
			if [[ -z $image ]]; then
				rm -rf "$tmp"
				fail 77 "kernel $name: none of $tries packages could be downloaded and unpacked"
			fi
			mkdir "$tmp/kernel"
			mv "$image" "$tmp/kernel/vmlinuz"
			find "$tmp/root" -path '*/boot/config-*' -exec mv {} "$tmp/kernel/config" \;
			printf '%s\n' "$package" >"$tmp/kernel/package"
			rm -rf "$dir"
			mv "$tmp/kernel" "$dir"
			rm -rf "$tmp"
		fi
		exec {lock}>&-
	fi
	printf '%s\n' "$dir/vmlinuz"
}
