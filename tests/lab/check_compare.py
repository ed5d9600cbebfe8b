#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Hold `numatrace compare` to two sets of runs that guest-compare.sh left: nothing but chance is
between them. And to runs of a machine of other topology, recorded before. Prints TAP.

usage: check_compare.py DIR
"""
import itertools
import json
import os
import subprocess
import sys

from labrecord import Dir, Tap

HERE = os.path.dirname(os.path.abspath(__file__))
BUILD = os.environ.get("NUMATRACE_LAB_BUILD", os.path.join(HERE, "../../build"))
RUNS = 6


def compare(*args):
    return subprocess.run([os.path.join(BUILD, "numatrace"), "compare", *args],
                          capture_output=True, text=True, check=False)


def split(base, new, *options):
    return json.loads(compare("--format", "json", *options, *base, "--", *new).stdout)


def share(result):
    return result["changed"] / result["compared"]


def check_same(tap, base, new):
    """The real halves among all halves of the same runs: nothing tells them apart, so their share
    of flagged metrics must not stand out, and the mean of all is what the rule flags by chance."""
    result = split(base, new, "--all")
    tap.ok(result["doubts"] == [], "the same kernel and command: nothing to warn of",
           str(result["doubts"]))
    tap.ok(result["compared"] > 100 and [s["runs"] for s in result["sides"]] == [RUNS, RUNS],
           "%d metrics of %d runs a side are compared" % (result["compared"], RUNS))
    halves = [base[:1] + list(h) for h in itertools.combinations(base[1:] + new, RUNS - 1)]
    shares = [share(split(h, [r for r in base + new if r not in h])) for h in halves]
    mean, worse = sum(shares) / len(shares), sum(s >= share(result) for s in shares)
    tap.ok(mean <= result["chance"],
           "of all halves %.2f %% of metrics are flagged, at most %.2f %% by the rule" %
           (100 * mean, 100 * result["chance"]))
    tap.ok(worse > 1,
           "between the real halves %.2f %%, as much as in %d of all %d" %
           (100 * share(result), worse, len(shares)))
    flagged = [row["key"] for row in result["rows"] if row["changed"]]
    verdicts = [row["key"] for row in result["rows"]
                if row["sides"][1].get("welch", {}).get("verdict") == "changed"]
    print("# the robot's rule flags %s; Welch's test %d, of %d" %
          (flagged, len(verdicts), len(result["rows"])))


def check_other_topology(tap, other, new):
    refused = compare(*other, "--", *new)
    lines = refused.stderr.splitlines()
    tap.ok(refused.returncode == 125 and not refused.stdout, "another topology is refused")
    tap.ok(len(lines) == 1 and "topology differs" in lines[0] and "--force" in lines[0] and
           "2 nodes of 8 CPUs and 4 LLCs" in lines[0] and "2 nodes of 4 CPUs and 1 LLC" in lines[0],
           "in one line that names both and the way out", refused.stderr)
    forced = compare("--force", *other, "--", *new)
    top = forced.stdout.split("\n\n")[0].splitlines()
    tap.ok(forced.returncode == 0 and "stress-ng.fstat.ops" in forced.stdout,
           "--force compares them")
    tap.ok(any(line.startswith("Warning: topology differs") for line in top),
           "under a warning", str(top))
    tap.ok("NUMA imb_numa_nr 4 -> 1" in top, "imb_numa_nr of the levels is named", str(top))
    tap.ok("NUMA CPUs 16 -> 8" in top, "and what the level spans", str(top))


def main():
    d, tap = Dir(sys.argv[1]), Tap()
    base, new = ([os.path.join(d.path, "%s%d.jsonl" % (side, i + 1)) for i in range(RUNS)]
                 for side in "ab")
    tap.ok(d.text("status").split() == ["0"] * 2 * RUNS, "every run ended well")
    check_same(tap, base, new)
    check_other_topology(tap, [os.path.join(HERE, "llc-6.1.jsonl.gz")], new)
    sys.exit(tap.end())


main()
