# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The root file system of a guest, for tools/lab.

# Copy the shared libraries of a program to the same place below a root.
copy_libraries() { # PROGRAM ROOT
	local lib
	# A script has no libraries, and grep then no match.
	{ ldd "$1" 2>/dev/null || true; } | { grep -o '/[^ ]*' || true; } | while read -r lib; do
		lib=${lib/#\/lib/\/usr\/lib}
		if [[ -e $lib && ! -e $2$lib ]]; then
			mkdir -p "$2${lib%/*}"
			cp -L "$lib" "$2$lib"
		fi
	done
}

copy_program() { # PROGRAM ROOT
	mkdir -p "$2/usr/bin"
	rm -f "$2/usr/bin/${1##*/}"
	cp -L "$1" "$2/usr/bin/"
	copy_libraries "$1" "$2"
}

pack() { # ROOT ARCHIVE
	(cd "$1" && find . -mindepth 1 | cpio -o -H newc -R 0:0 --quiet) >"$2"
}

# Path of the part that all guests share, built first if it is not in the cache.
base_archive() {
	local key file root tmp applet program lock
	local programs=()
	for program in dash stress-ng mpstat numactl chrt; do
		if program=$(type -P "$program"); then
			programs+=("$program")
		fi
	done
	key=$(stat -Lc '%n %s %Y' "$(type -P busybox)" "${programs[@]}" |
		cat - "$data/initramfs.sh" "$data/init" | sha256sum)
	file=$cache/base-${key:0:16}.cpio
	exec {lock}>"$cache/base.lock"
	flock "$lock"
	if [[ ! -e $file ]]; then
		rm -f "$cache"/base-*.cpio
		root=$scratch/base
		mkdir -p "$root"/{dev,proc,sys,tmp,run,out,in,lab,root,home/user,etc} \
			"$root"/usr/{bin,lib,lib64}
		for applet in bin lib lib64; do
			ln -s "usr/$applet" "$root/$applet"
		done
		ln -s usr/bin "$root/sbin"
		ln -s bin "$root/usr/sbin"
		cp -L "$(type -P busybox)" "$root/usr/bin/busybox"
		busybox --list | grep -v '^busybox$' | while read -r applet; do
			ln -s busybox "$root/usr/bin/$applet"
		done
		for program in "${programs[@]}"; do
			copy_program "$program" "$root"
		done
		# The shell of busybox runs its own commands without exec, which would
		# hide the balancing at exec.
		if [[ -e $root/usr/bin/dash ]]; then
			ln -sf dash "$root/usr/bin/sh"
		fi
		printf '%s\n' 'root:x:0:0:root:/root:/bin/sh' \
			'user:x:1000:1000:user:/home/user:/bin/sh' >"$root/etc/passwd"
		printf '%s\n' 'root:x:0:' 'user:x:1000:' >"$root/etc/group"
		printf '%s\n' /bin/sh >"$root/etc/shells"
		printf '127.0.0.1 localhost lab\n' >"$root/etc/hosts"
		cp "$data/init" "$root/init"
		chmod 755 "$root/init"
		tmp=$(mktemp "$cache/.base.XXXXXX")
		pack "$root" "$tmp"
		mv "$tmp" "$file"
		rm -rf "$root"
	fi
	exec {lock}>&-
	printf '%s\n' "$file"
}

# The part of one run: our programs, the files given and the command.
run_archive() { # ARCHIVE COMMAND [ARG...]
	local archive=$1 root=$scratch/run program file arg
	shift
	mkdir -p "$root"/{in,lab}
	for program in numatrace causes; do
		if [[ -x $build/$program ]]; then
			copy_program "$build/$program" "$root"
		fi
	done
	for file in "${files[@]}"; do
		[[ -e $file ]] || fail 125 "no file '$file'"
		cp -rL "$file" "$root/in/"
		if [[ -f $file && -x $file ]]; then
			copy_libraries "$file" "$root"
		fi
	done
	{
		printf 'exec'
		for arg; do
			printf " '%s'" "${arg//\'/\'\\\'\'}"
		done
		echo
	} >"$root/lab/command"
	if [[ -n $outdir ]]; then
		: >"$root/lab/want-out"
	fi
	if [[ -n $memory ]]; then
		: >"$root/lab/hold"
	fi
	pack "$root" "$archive"
	rm -rf "$root"
}
