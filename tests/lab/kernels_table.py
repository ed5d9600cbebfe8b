#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""docs/KERNELS.md from what the cells of a matrix run left: what works on which kernel and
machine, and by which way.

usage: kernels_table.py DIR > docs/KERNELS.md
"""
import glob
import json
import os
import re
import sys

HEAD = """# What works where

Made by `make test-lab-all` (or `tools/lab matrix --table docs/KERNELS.md`) from guests that ran
these kernels of Debian; not written by hand. "Way" is the probe that `numatrace features` took.
"""
RELEASES = ("5.10", "6.1", "6.1-rt", "6.12", "6.18", "6.19", "7.x")
SETTINGS = ("sched_ext", "schedstats", "numa_balancing")    # of the machine, not of the kernel


def cells(folder):
    """{(kernel name, topology): [(verdict, release, features)]}, in the order of the run."""
    out = {}
    names = sorted(os.listdir(folder), key=lambda n: int(n.split("-")[0]))
    for name in names:
        verdict = open(os.path.join(folder, name, "verdict"), encoding="utf-8").read()
        line = next(l for l in verdict.splitlines() if re.match(r"(not )?ok", l))
        kernel, topology = re.match(r"(?:not )?ok - (\S+) ([^\s:]+)", line).groups()
        found = sorted(glob.glob(os.path.join(folder, name, "*", "features.json")))
        features, release = None, ""
        if found:
            features = json.load(open(found[0], encoding="utf-8"))["features"]
            release = open(os.path.join(os.path.dirname(found[0]), "kernel"),
                           encoding="utf-8").read().strip()
        out.setdefault((kernel, topology), []).append((line, release, features))
    return out


def way(feature):
    return feature["way"] if feature["on"] else "no: " + feature["why"]


def ways_table(every):
    kernels = {}
    for (kernel, _), runs in every.items():
        for _, release, features in runs:
            if features and kernel not in kernels:
                kernels[kernel] = (release, {f["name"]: f for f in features})
    print("\n## Ways taken\n")
    order = sorted(kernels, key=lambda k: RELEASES.index(k) if k in RELEASES else 99)
    print("| series | kernel |\n|---|---|")
    for k in order:
        print("| %s | %s |" % (k, kernels[k][0]))
    print("\n| feature | kernels | way |\n|---|---|---|")
    for name in kernels[order[0]][1]:
        alike = {}
        for k in order:
            alike.setdefault(way(kernels[k][1][name]), []).append(k)
        for taken, ks in alike.items():
            if name not in SETTINGS:
                print("| %s | %s | %s |" % (name, "all" if len(ks) == len(order) else
                                            ", ".join(ks), taken))


def verdicts(every):
    print("\n## Cells\n")
    print("| kernel | machine | checks |")
    print("|---|---|---|")
    for (kernel, topology), runs in every.items():
        told = []
        for line, _, _ in runs:
            m = re.search(r": (?:(\d+) of )?(\d+) checks \((.*?)\)", line)
            if m:
                told.append("%s: %s %s" % (m[3].replace(",", ", "), m[2],
                                           "passed" if line.startswith("ok") else
                                           "made, %s failed" % m[1]))
            else:
                told.append(re.sub(r"^(not )?ok - \S+ \S+ ?", "", line))
        print("| %s | %s | %s |" % (kernel, topology, "; ".join(told)))


def main():
    every = cells(sys.argv[1])
    sys.stdout.write(HEAD)
    ways_table(every)
    verdicts(every)


main()
