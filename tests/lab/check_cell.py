#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Hold what guest-cell.sh left against the oracles beside it, on any kernel and topology.
Prints TAP.

usage: check_cell.py [--off FEATURE[,FEATURE]] DIR

--off   features that this kernel must not have; all others it must
"""
import argparse
import re
import sys

import schedstat
from labrecord import (Dir, Tap, check_balance, check_cputime, check_identities, check_placement,
                       cpus, ticks)

MPSTAT_S = 6    # the interval that mpstat measured
MPSTAT_CPUS = 8


def check_features(tap, d, r, off):
    """What a run uses is what `numatrace features` says, and only what must be off is off."""
    rows = {f["name"]: f for f in d.json("features.json")["features"]}
    for name, f in r.header["features"].items():
        tap.ok(f["on"] == rows[name]["on"] and f.get("way") == rows[name].get("way"),
               "%s is %s in the run, as in features" % (name, f.get("way") or "off"),
               str(rows[name]))
    have = {name for name, f in rows.items() if not f["on"]}
    for name in sorted(have):
        tap.ok(len(rows[name]["why"]) > 10, "%s is off for a reason" % name, str(rows[name]))
    have -= {"sched_ext", "schedstats", "numa_balancing"}   # configuration and settings
    tap.ok(have == off, "these features are off: %s" % (", ".join(sorted(off)) or "none"),
           "; ".join("%s: %s" % (n, rows[n]["why"]) for n in sorted(have)))


def check_imb(tap, r):
    """Without the field there is no number; with it, what mainline's formula gives."""
    domains = [dom for chain in r.header["chains"] for dom in chain["domains"]]
    if r.header["features"].get("domains", {}).get("on"):
        tap.ok(domains, "domains were read")
    has = {"imb_numa_nr" in dom for dom in domains}
    release = tuple(map(int, re.match(r"(\d+)\.(\d+)", r.header["kernel"]).groups()))
    tap.ok(has == {release >= (5, 18)}, "imb_numa_nr is there from 5.18 on: %s" % has)


def check_schedstat(tap, d, r):
    """Our counts lie between the kernel's over the time inside the run and those around it. A
    call that is under way when one of them begins or ends is counted by one of them only."""
    if not r.on("balance"):
        return
    at = {name: schedstat.parse(d.text(name))
          for name in ("outer.0", "inner.0", "inner.1", "outer.1")}

    def level_of(cpu, depth):
        return r.chain(cpu)[depth]["level"]
    inner = schedstat.passed(at["inner.0"], at["inner.1"], level_of)
    outer = schedstat.passed(at["outer.0"], at["outer.1"], level_of)
    rows = {(b["level"], b["idle"]): b for b in r.total["balance"]}
    slack = len(r.cpu_node())
    tap.ok(sum(o["count"] for o in outer.values()) > 100, "the kernel counted balancing")
    tap.ok(set(rows) <= set(outer), "it knows every level and idle type that we count",
           str(set(rows) - set(outer)))
    for key in sorted(outer):
        ours, low, high = rows.get(key, {}), inner[key], outer[key]
        name = "level %d %s" % key
        for mine, theirs in (("calls", "count"), ("moved", "gained")):
            tap.between(low[theirs] - slack, ours.get(mine, 0), high[theirs] + slack,
                        "%s %s against lb_%s" % (name, mine, theirs))
        # lb_balanced: refused, no busier group, no busier queue, or all its tasks pinned.
        settled = ours.get("refused", 0) + ours.get("nothing", 0)
        tap.between(low["balanced"] - low["nobusyq"] - slack -
                    max(0, ours.get("failed", 0) - low["failed"]),
                    settled, high["balanced"] + slack,
                    "%s refused and nothing against lb_balanced" % name)
        tap.between(low["nobusyg"] - slack, ours.get("nothing", 0), high["nobusyg"] + slack,
                    "%s nothing against lb_nobusyg" % name)
        tap.ok(ours.get("failed", 0) + slack >= low["failed"],
               "%s failed against lb_failed (%d, at least %d)" %
               (name, ours.get("failed", 0), low["failed"]))


STAT = ("usr", "nice", "sys", "idle", "iowait", "irq", "soft", "steal", "guest", "gnice")


def stat_nodes(text, cpu_node):
    """{(node, column): ticks} of /proc/stat."""
    out = {}
    for line in text.splitlines():
        m = re.match(r"cpu(\d+) (.*)", line)
        if m:
            for column, value in zip(STAT, map(int, m[2].split())):
                key = cpu_node[int(m[1])], column
                out[key] = out.get(key, 0) + value
    return out


def check_stat(tap, d, r):
    """Ticks of each node lie between those of /proc/stat inside the run and around it."""
    at = {name: stat_nodes(d.text("stat." + name), r.cpu_node())
          for name in ("outer.0", "inner.0", "inner.1", "outer.1")}
    for n in r.total["nodes"]:
        wrong = []
        for column in STAT:
            key = n["id"], column
            low = at["inner.1"].get(key, 0) - at["inner.0"].get(key, 0)
            high = at["outer.1"].get(key, 0) - at["outer.0"].get(key, 0)
            ours = n["ticks"].get(column, 0)
            # The kernel's idle and iowait may step back by a tick when they are read.
            slack = len(r.cpu_node()) if column in ("idle", "iowait") else 0
            if not low - slack <= ours <= high + slack:
                wrong.append("%s %d, at least %d and at most %d" % (column, ours, low, high))
        tap.ok(not wrong, "node %d: ticks of /proc/stat, inside and around" % n["id"],
               "; ".join(wrong))


def mpstat_nodes(text):
    """The average rows of mpstat -N: {node: {column: percent}}."""
    rows, columns = {}, None
    for line in text.splitlines():
        words = line.split()
        if line.startswith("Average:") and words[1:2] == ["NODE"]:
            columns = words[2:]
        elif line.startswith("Average:") and columns:
            rows[words[1]] = dict(zip(columns, map(float, words[2:])))
    return rows


def percentages(samples):
    """{node: {column: percent}} over samples."""
    total, out = {}, {}
    for s in samples:
        for n in s["counters"]["nodes"]:
            for t, v in n["ticks"].items():
                total.setdefault(n["id"], {}).setdefault(t, 0)
                total[n["id"]][t] += v
    for node, t in total.items():
        every = ticks({"ticks": t})
        if every:
            out[node] = {"%usr": 100 * (t.get("usr", 0) - t.get("guest", 0)) / every,
                         "%sys": 100 * t.get("sys", 0) / every,
                         "%idle": 100 * t.get("idle", 0) / every}
    return out


def windows(samples):
    """The percentages of every stretch of about MPSTAT_S seconds or more: on a busy host mpstat
    wakes late."""
    out = []
    for i, first in enumerate(samples):
        start = first["t"] - first["dt"]
        out += [percentages(samples[i:k + 1]) for k, last in enumerate(samples)
                if last["t"] - start >= MPSTAT_S - first["dt"]]
    return out


def check_mpstat(tap, d, fake):
    """mpstat's interval lies somewhere in the run. With numa=fake mpstat counts a CPU in every node
    (its known defect)."""
    r = d.record("mpstat")
    check_identities(tap, r)
    ours = windows(r.samples)
    theirs = mpstat_nodes(d.text("mpstat.txt"))
    nodes = [n for n in ours[0] if str(n) in theirs] if ours else []
    print("# the run took %.2f s; %d stretches of it" % (r.samples[-1]["t"], len(ours)))
    tap.ok(theirs and theirs["all"]["%idle"] < 99 and (nodes or fake), "mpstat saw the load")
    if fake or len(r.cpu_node()) > MPSTAT_CPUS:
        print("# nodes not compared with mpstat's: %s" % ("it counts each CPU in every node" if fake
              else "so many emulated CPUs lose most of their ticks, and not evenly"))
        return
    for node in nodes:
        for column in ("%usr", "%sys", "%idle"):
            seen = [w[node][column] for w in ours]
            want = theirs[str(node)][column]
            tap.ok(min(seen) - 0.5 <= want <= max(seen) + 0.5,
                   "mpstat: node %s %s: %.2f to %.2f against %.2f (within 0.5)" %
                   (node, column, min(seen), max(seen), want))


def check_plug(tap, d, r):
    check_identities(tap, r)
    online, cpu = cpus(d.text("online")), int(d.word("plugged"))
    seen = [cpus(s["online"]) for s in r.samples]
    tap.ok(online in seen and online - {cpu} in seen and
           all(s in (online, online - {cpu}) for s in seen),
           "hotplug: CPU %d went and came back" % cpu)
    hz = 100
    for n in r.total["nodes"]:
        mine = sum(1 for c in online if r.cpu_node()[c] == n["id"])
        limit = mine * hz * r.end["rusage"]["elapsed"] * 1.1 + 8
        tap.ok(ticks(n) <= limit, "hotplug: %d ticks on node %d of %d CPUs, at most %d" %
               (ticks(n), n["id"], mine, limit))
    tap.ok(sum(ticks(n) for n in r.total["nodes"]) > 0, "hotplug: ticks were counted")


def check_idle(tap, r):
    check_identities(tap, r)
    if not r.on("balance"):
        return
    calls = {}
    for b in r.total["balance"]:
        calls[b["idle"]] = calls.get(b["idle"], 0) + b["calls"]
    tap.ok(calls.get("idle", 0) + calls.get("newidle", 0) > calls.get("busy", 0),
           "idle: an idle machine balances while idle (%s)" % calls)


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--off", default="")
    p.add_argument("folder")
    a = p.parse_args()
    d, tap = Dir(a.folder), Tap()
    busy = check_cputime(tap, d, "busy")
    check_features(tap, d, busy, set(filter(None, a.off.split(","))))
    check_imb(tap, busy)
    check_balance(tap, busy)
    check_placement(tap, busy)
    check_schedstat(tap, d, busy)
    check_stat(tap, d, busy)
    listed = [c for line in d.text("nodelists").splitlines() for c in cpus(line)]
    check_mpstat(tap, d, len(listed) > len(set(listed)))
    check_plug(tap, d, d.record("plug"))
    check_idle(tap, d.record("idle"))
    sys.exit(tap.end())


main()
