#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Hold what guest-snapshot.sh left against what was run there, and the verdicts against what the
kernel then did; 2 nodes of 4 CPUs. Prints TAP.

usage: check_snapshot.py [--stays K] [--forks near|far] DIR

--stays  so many spinners on one node and none on the other this kernel leaves alone (2)
--forks  where a task that runs alone on its node has its children: on that node (near), or on
         the other, which has more idle CPUs (far)
"""
import argparse
import json
import sys

from labrecord import Dir, Tap

NEAR, FAR = range(0, 4), range(4, 8)


def most(snapshots, good):
    """Anybody may wake for a moment: more than half of them are as they have to be."""
    return 2 * sum(map(good, snapshots)) > len(snapshots) >= 2


def quiet(s):
    """The guest's script, which is on CPU 7 alone, was not running."""
    return s["cpus"][7]["idle"] == 1


def seen(snapshots):
    return "; ".join("%s running, %s idle, %s" % (
        [n["runnable"] for n in s["nodes"]], [n["idle"] for n in s["nodes"]],
        [s["pairs"][0][k] for k in ("balance", "fork", "exec")]) for s in snapshots)


class Series:
    def __init__(self, d):
        lines = d.text("series").splitlines()
        self.phase = {}
        for row in d.text("phases").splitlines():
            name, first, last = row.split()
            self.phase[name] = list(filter(quiet, map(json.loads, lines[int(first) - 1:int(last)])))
        # The last line may have been cut when the series was stopped.
        self.all = [json.loads(x) for x in lines[:-1]]

    def verdicts(self, tap, name, wanted):
        """wanted: {"balance": ...}"""
        snapshots = self.phase[name]
        tap.ok(most(snapshots, lambda s: all(s["pairs"][0][k] == v for k, v in wanted.items())),
               "%s: verdicts %s" % (name, wanted), seen(snapshots))

    def counts(self, tap, name, *splits):
        """splits: how many run near and far, each as good as the others."""
        snapshots = self.phase[name]
        want = [[(near, 4 - near), (far, 4 - far)] for near, far in splits]
        tap.ok(most(snapshots, lambda s: [(n["runnable"], n["idle"]) for n in s["nodes"]] in want),
               "%s: %s runnable, the other CPUs idle" %
               (name, " or ".join("%d and %d" % s for s in splits)), seen(snapshots))


def spinners(d, name):
    """The CPUs they are on."""
    return [int(x) for x in d.text(name).split()]


def check_count(tap, d, series, k, stays):
    """k spinners held on node 0, then let go."""
    tries = [t for t in (1, 2, 3) if d.has("after.%d.%d" % (k, t))]
    first, last = "%d.%d" % (k, tries[0]), "%d.%d" % (k, tries[-1])
    series.counts(tap, "held." + first, (k, 0))
    on = set(spinners(d, "before." + first))
    tap.ok(len(on) == k and most(series.phase["held." + first], lambda s: on == {
        c["cpu"] for c in s["cpus"] if c["runnable"] and c["cpu"] in NEAR}),
        "held.%s: on the CPUs that /proc/PID/stat names, %s" % (first, sorted(on)))
    series.verdicts(tap, "held." + first, {"balance": "stays" if k <= stays else "moves"})
    moved = [c for c in spinners(d, "after." + last) if c in FAR]
    tap.ok(bool(moved) == (k > stays), "%d spinners let go: %s (after %d tries)" %
           (k, "the balancer takes some" if k > stays else "the balancer leaves them", len(tries)),
           "now on %s" % spinners(d, "after." + last))
    # And then it is at rest, as the rule says by itself: the nodes may still change places.
    series.counts(tap, "free." + last, *([(n, k - n) for n in range(1, k)] if moved else [(k, 0)]))
    series.verdicts(tap, "free." + last, {"balance": "stays"})


def check_forks(tap, d, series, name, verdict):
    """Children of a task on node 0, one after the other, by the node of their first CPU."""
    series.verdicts(tap, "forks." + name, {"fork": verdict})
    lines = [json.loads(x) for x in d.text("forks.%s.jsonl" % name).splitlines()]
    rows = [r for r in lines[-1]["counters"]["forks"]["workload"] if r[0] == 0]
    total = sum(n for _, _, n in rows)
    there = sum(n for _, to, n in rows if to == 1)
    good = there >= 0.6 * total if verdict == "moves" else there <= 0.4 * total
    tap.ok(total >= 50 and good, "forks.%s: %d of %d children of tasks on node 0 begin on node 1, "
           "the verdict was that they %s" % (name, there, total,
                                             "go there" if verdict == "moves" else "stay"))


def check_series(tap, series):
    tap.ok(len(series.all) > 50, "%d snapshots" % len(series.all))
    tap.ok(all([c["cpu"] for c in s["cpus"]] == list(range(8)) for s in series.all),
           "each has every CPU once")
    tap.ok(all(s["all"][k] == sum(n[k] for n in s["nodes"]) == sum(c[k] for c in s["cpus"])
               for s in series.all for k in ("idle", "runnable", "fair", "load")),
           "CPUs add up to nodes, nodes to the whole")
    # It was told to run on the last CPU, and counts itself nowhere.
    own = [s for s in series.all if s.get("self_cpu") == FAR[-1]]
    tap.ok(len(own) == len(series.all), "numatrace was on CPU 7 in all of them, and says so")
    alone = sum(map(quiet, own))
    tap.ok(alone >= 20, "CPU 7 was idle, with nothing but numatrace to run, in %d of %d" %
           (alone, len(own)))


def check_run(tap, d):
    """Three spinners on node 0 for as long as a run lasts, which does nothing itself."""
    lines = [json.loads(x) for x in d.text("run.jsonl").splitlines()]
    samples = [x for x in lines if x["type"] == "sample"]
    held = [s["snapshot"] for s in samples if "snapshot" in s]
    tap.ok(len(held) >= 5 and len(held) == len(samples) - 1,
           "run: %d of %d samples hold a snapshot, all but that after the end" %
           (len(held), len(samples)))
    m = d.json("run.json")["metrics"]
    runnable = [n.get("runnable", 0) for s in held for n in s["nodes"] if n["id"] == 0]
    tap.ok(m["snapshot.node.0.runnable"] == sum(runnable) / len(held) and
           m["snapshot.node.0.runnable.max"] == max(runnable) and
           m["snapshot.node.0.runnable.min"] == min(runnable),
           "run: average, least and most on node 0 are those of the samples")
    tap.ok(2.8 <= m["snapshot.node.0.runnable"] <= 3.4, "run: %.2f runnable on node 0" %
           m["snapshot.node.0.runnable"])
    tap.ok(m["snapshot.beyond%"] >= 75, "run: beyond what is tolerated in %.0f %% of samples" %
           m["snapshot.beyond%"])
    replay = d.text("run.replay")
    tap.ok("Runnable tasks by node" in replay and d.text("run.report").endswith(replay),
           "run: the record gives the same report")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--stays", type=int, default=2)
    parser.add_argument("--forks", choices=("near", "far"), default="far")
    parser.add_argument("dir")
    args = parser.parse_args()
    d, tap = Dir(args.dir), Tap()
    series = Series(d)
    check_series(tap, series)
    for k in (1, 2, 3):
        check_count(tap, d, series, k, args.stays)
    check_forks(tap, d, series, "alone", "moves" if args.forks == "far" else "stays")
    check_forks(tap, d, series, "beside", "stays")
    check_run(tap, d)
    sys.exit(tap.end())


main()
