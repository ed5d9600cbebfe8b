#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Hold what guest-main.sh left against the oracles beside it; on 6.1, 2x4. Prints TAP.

usage: check_main.py DIR
"""
import re
import sys

from labrecord import Dir, Tap, check_balance, check_cputime, check_identities, check_placement


def check_observe(tap, d):
    """-p: spinners pinned to a node each, against /proc/PID/schedstat over the same time."""
    r = d.record("observe")
    tap.ok(d.word("observe.status") == "0", "observe: exit status 0")
    first, last = [list(map(float, line.split()))
                   for line in d.text("observe.ran").splitlines()]
    for node, column in ((0, 1), (1, 2)):
        want = (last[column] - first[column]) / 1e9 / (last[0] - first[0])
        ours = r.total["nodes"][node].get("wl_exec_ns", 0) / 1e9 / r.end["rusage"]["elapsed"]
        tap.close(ours, want, 0.03 * want, "observe: busy CPUs of the process on node %d" % node)
    tap.ok(r.end["alive_after"] == 2, "observe: two tasks are alive at the end")


def check_main(tap, d):
    r = d.record("main")
    report = d.text("main.report")
    tap.ok(d.word("main.status") == "0", "main: exit status 0")
    check_identities(tap, r)
    levels = {dom["name"]: dom.get("imb_numa_nr")
              for chain in r.header["chains"] for dom in chain["domains"]}
    tap.ok(levels.get("NUMA") == 1, "main: imb_numa_nr of NUMA is 1 (%s)" % levels)
    tap.ok(levels.get("MC") == 0, "main: imb_numa_nr of MC is 0")
    tap.ok(all(f["on"] for f in r.header["features"].values()), "main: every feature is on")
    score = [s for s in r.end["scores"] if s["key"] == "stress-ng.fstat.ops_per_sec"]
    printed = d.text("main.log") + report
    row = re.search(r"\] fstat +(\d+) +\S+ +\S+ +\S+ +(\S+)", printed)
    tap.ok(row and score and score[0]["value"] == float(row.group(2)),
           "main: the score is what stress-ng printed")
    tap.ok("stress-ng.fstat.ops_per_sec" in report, "main: the report shows the score")
    check_balance(tap, r)
    check_placement(tap, r)
    replay = d.text("main.replay")
    tap.ok(len(replay) > 500 and report.endswith(replay), "main: the record gives the same report")
    widest = max(len(line) for line in replay.splitlines())
    tap.ok(widest <= 100, "main: the widest line of the report has %d columns" % widest)


def check_noftrace(tap, d):
    r = d.record("noftrace")
    report = d.text("noftrace.report")
    check_identities(tap, r)
    for feature in ("balance", "placement"):
        f = r.header["features"][feature]
        tap.ok(not f["on"] and "ftrace_enabled" in (f.get("why") or ""),
               "ftrace off: %s is off, with that reason" % feature)
    tap.ok("ftrace_enabled" in report, "ftrace off: the report says so")
    tap.ok(r.moves("workload") > 0, "ftrace off: migrations are counted")


def main():
    d, tap = Dir(sys.argv[1]), Tap()
    check_main(tap, d)
    for name in ("pthread", "fork", "cpu"):
        check_cputime(tap, d, name)
    check_noftrace(tap, d)
    check_observe(tap, d)
    sys.exit(tap.end())


main()
