#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Hold what guest-lockdown.sh left against what a kernel in lockdown permits. Prints TAP.

usage: check_lockdown.py [--off FEATURE[,FEATURE]] MODE DIR

--off   features that need to read kernel memory on this kernel; lockdown is to be their reason
"""
import argparse
import sys

from labrecord import Dir, Tap, check_balance, check_cputime, check_identities, check_placement

MINDS = {"migrations", "causes", "cputime", "fork", "balance", "placement", "domains", "snapshot"}


def main():
    args = argparse.ArgumentParser()
    args.add_argument("--off", default="")
    args.add_argument("mode")
    args.add_argument("dir")
    args = args.parse_args()
    d, tap, off = Dir(args.dir), Tap(), set(filter(None, args.off.split(",")))
    tap.ok("[%s]" % args.mode in d.text("lockdown"), "the kernel is in lockdown: %s" %
           d.word("lockdown"))
    rows = {f["name"]: f for f in d.json("features.json")["features"]}
    got = {name for name in MINDS if not rows[name]["on"]}
    tap.ok(got == off, "what is off is: %s" % (", ".join(sorted(off)) or "nothing"), str(got))
    for name in sorted(off & got):
        tap.ok("lockdown=" + args.mode in rows[name]["why"] and rows[name]["hint"],
               "%s is off for that reason: %s" % (name, rows[name]["why"]))
    r = d.record("affinity")
    check_identities(tap, r)
    made = d.json("affinity.made")["made"]["affinity"]
    tap.ok(r.moves("workload", "affinity") == made,
           "%d affinity moves were made, and %d counted" % (made, r.moves("workload", "affinity")))
    r = check_cputime(tap, d, "busy")
    check_balance(tap, r)
    check_placement(tap, r)
    sys.exit(tap.end())


main()
