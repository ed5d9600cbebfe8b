#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Hold the records of tests/lab/guest-storm.sh against the oracles beside them; prints TAP.

usage: check_storm.py DIR
"""
import json
import os
import re
import sys

from labrecord import Tap


def read(d, name):
    with open(os.path.join(d, name), encoding="utf-8", errors="replace") as f:
        return f.read()


def cpu_list(text):
    """0-3,7 in full."""
    ends = [part.split("-") for part in text.split(",")]
    return [c for e in ends for c in range(int(e[0]), int(e[-1]) + 1)]


class Record:
    def __init__(self, d, name):
        lines = [json.loads(line) for line in read(d, name + ".jsonl").splitlines()]
        self.head, self.end = lines[0], lines[-1]
        self.samples = [x for x in lines if x["type"] == "sample"]
        assert self.head["type"] == "header" and self.end["type"] == "end", name
        self.metrics = json.loads(read(d, name + ".json"))["metrics"]
        self.nodes = self.end["counters"]["nodes"]
        self.elapsed = self.end["rusage"]["elapsed"]

    def moves(self, scope, cause=None):
        return sum(row[3] for row in self.end["counters"]["migrations"][scope]
                   if cause in (None, row[0]))


def check_whole(tap, name, r):
    """What must hold whatever happened to the CPUs."""
    for scope in ("workload", "system"):
        summed = sum(row[3] for s in r.samples for row in s["counters"]["migrations"][scope])
        tap.ok(summed == r.moves(scope), "%s: %s samples add up to the total" % (name, scope))
    tap.ok(not any(r.end["lost"].values()), "%s: nothing lost (%s)" % (name, r.end["lost"]))
    over = [(k, v) for k, v in r.metrics.items()
            if re.match(r"(mpstat|workload)\.node\..*%$", k) and not -0.01 <= v <= 100.5]
    tap.ok(not over, "%s: no share is below 0 or over 100 %% (%s)" % (name, over))


def check_nodes(tap, name, r):
    """Ticks of a node cannot be more than its CPUs had, and what is missing is an interval each
    time that a CPU went or came."""
    hz = r.head["tick_hz"]
    for n in r.nodes:
        ticks = sum(v for k, v in n["ticks"].items() if k not in ("guest", "gnice"))
        had = n.get("online_ns", 0) / 1e9 * hz
        tap.ok(ticks <= 1.05 * had + 8, "%s: %d ticks on node %d, whose CPUs had %d" %
               (name, ticks, n["id"], had))


def check_storm(tap, d, name):
    r = Record(d, name)
    tap.ok(read(d, name + ".status").strip() == "0", "%s: exit status 0" % name)
    check_whole(tap, name, r)
    check_nodes(tap, name, r)
    report, replay = read(d, name + ".report"), read(d, name + ".replay")
    tap.ok(len(replay) > 500 and report.endswith(replay),
           "%s: the record gives the same report" % name)
    percpu = list(map(int, read(d, name + ".percpu").split()))
    before = int(read(d, name + ".before").split()[0]) / 1e9
    for node, cpus in ((0, percpu[:4]), (1, percpu[4:8])):
        want = sum(cpus) / 1e9
        ours = r.nodes[node].get("wl_exec_ns", 0) / 1e9
        tap.close(ours, want, 0.01 * want + before + 0.01,
                  "%s: CPU seconds on node %d against its cgroup" % (name, node))
    return r, report


def check_changes(tap, name, r, report, seen):
    sets = {s["online"] for s in r.samples}
    tap.ok(seen <= sets, "%s: %s were on line (%s)" % (name, sorted(seen), sorted(sets)))
    tap.ok("went on or off line" in report, "%s: the report says so" % name)
    tap.ok(len(re.findall("went on or off line during", report)) <= 4,
           "%s: in a few lines" % name)


def check_rest(tap, r):
    """Nothing changes, so capacity is what it always was, and all CPUs are there."""
    for n, node in zip(r.nodes, r.head["topology"]["nodes"]):
        tap.close(n["online_ns"] / 1e9, node["cpus"] * r.elapsed, 1e-3,
                  "rest: CPU seconds that node %d had" % n["id"])


def check_dark(tap, r, report):
    want, before = 0, 0
    for s in r.samples:
        cpus = sum(1 for c in cpu_list(s["online"]) if c >= 4)
        want += s["dt"] * (before + cpus) / 2
        before = cpus
    tap.close(r.nodes[1]["online_ns"] / 1e9, want, 1e-3, "dark: CPU seconds that node 1 had")
    row = re.search(r"^ *1 +([\d.]+) +\d", report, re.M)
    tap.ok(row and 1 < float(row.group(1)) < 4, "dark: and its row is shown")
    tap.ok("workload.node.1.usr%" in r.metrics and r.metrics["workload.node.1.busy_cpus"] > 0.2,
           "dark: with what the workload ran there")


def check_gone(tap, r, report):
    """Shown is the start, and a note says what was not so at the end."""
    text = " ".join(report.split())
    tap.ok(r.head["topology"]["nodes"][1]["cpus"] == 4, "gone: the record has the start's node 1")
    tap.ok("at the end node1 has CPUs 4-6, not 4-7" in text, "gone: a note has that of the end")
    tap.ok(re.search("domains changed during the run.*at the end .*CPUs 4-6: MC 4-6 .*NUMA 0-6 ",
                     text), "gone: and the domains of the end")


def check_mpstat(tap, d):
    r = Record(d, "mpstat")
    check_whole(tap, "mpstat", r)
    lines = [x.split() for x in read(d, "mpstat.txt").splitlines() if x.startswith("Average:")]
    theirs = dict(zip(lines[0][2:], lines[1][2:]))
    for column, key in (("%usr", "usr"), ("%sys", "sys"), ("%idle", "idle")):
        tap.close(r.metrics["mpstat.node.0.%s%%" % key], float(theirs[column]), 2,
                  "mpstat: node 0 %s while CPUs of node 1 go and come" % column)


def check_clock(tap, d):
    r = Record(d, "clock")
    first, last = map(float, read(d, "clock.uptime").split())
    tap.ok("2001" in read(d, "clock.set"), "clock: it was set back")
    tap.ok(2 <= r.elapsed <= last - first, "clock: elapsed %.2f s, as ever" % r.elapsed)
    tap.ok(all(s["dt"] > 0 for s in r.samples) and len(r.samples) >= 6,
           "clock: no interval is empty or turned round")
    check_whole(tap, "clock", r)


def main():
    d, tap = sys.argv[1], Tap()
    late = read(d, "boot").strip() != "0-7"
    if late:
        r, report = check_storm(tap, d, "first")
        check_changes(tap, "first", r, report, {"0-5", "0-7"})
        tap.ok(all(r.head["topology"]["cpu_node"][c] == -1 for c in (6, 7)),
               "first: CPUs 6 and 7 had never been on line")
        tap.ok(r.metrics["workload.node.1.busy_cpus"] > 0.2, "first: node 1 worked")
    r, report = check_storm(tap, d, "rest")
    tap.ok("went on or off line" not in report and "changed during" not in report,
           "rest: the CPUs stay")
    check_rest(tap, r)
    r, report = check_storm(tap, d, "plug")
    tap.ok("went on or off line" in report, "plug: the report says so")
    r, report = check_storm(tap, d, "node")
    check_changes(tap, "node", r, report, {"0-3", "0-7"})
    r, report = check_storm(tap, d, "dark")
    check_changes(tap, "dark", r, report, {"0-3", "0-7"})
    check_dark(tap, r, report)
    r, report = check_storm(tap, d, "gone")
    check_gone(tap, r, report)
    check_mpstat(tap, d)
    check_clock(tap, d)
    print("1..%d" % tap.n)
    sys.exit(tap.failed > 0)


main()
