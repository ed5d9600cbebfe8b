#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Hold the domains that numatrace read in the guest against those in its memory, which QEMU's
monitor wrote out when guest-memory.sh had ended (DIR/../memory.ram). Prints TAP.

usage: check_memory.py DIR
"""
import os
import struct
import sys

import btf
from labrecord import Dir, Tap, cpus

TEXT = 0xffffffff80000000                               # without KASLR, at physical address 0
DIRECT = (0xff11000000000000, 0xffff888000000000)       # all memory, 5 and 4 levels of pages


class Memory:
    def __init__(self, path):
        self.file = open(path, "rb")
        self.size = os.path.getsize(path)

    def read(self, address, n):
        for base in (TEXT,) + DIRECT[::-1]:
            if base <= address < base + self.size:
                self.file.seek(address - base)
                return self.file.read(n)
        raise ValueError("no memory at %#x" % address)

    def number(self, address, form):
        return struct.unpack(form, self.read(address, struct.calcsize(form)))[0]

    def string(self, address):
        return self.read(address, 32).split(b"\0")[0].decode()


def chain(memory, rq, off):
    """The domains of a run queue, lowest first."""
    sd, out = memory.number(rq + off["rq"]["sd"], "<Q"), []
    while sd:
        d = off["sched_domain"]
        out.append({"name": memory.string(memory.number(sd + d["name"], "<Q")),
                    "span_weight": memory.number(sd + d["span_weight"], "<I"),
                    "flags": memory.number(sd + d["flags"], "<I")})
        if "imb_numa_nr" in d:
            out[-1]["imb_numa_nr"] = memory.number(sd + d["imb_numa_nr"], "<I")
        sd = memory.number(sd + d["parent"], "<Q")
    return out


def main():
    d, tap = Dir(sys.argv[1]), Tap()
    with open(os.path.join(d.path, "btf"), "rb") as f:
        off = btf.offsets(f.read(), ("rq", "sched_domain"))
    symbol = {line.split()[2]: int(line.split()[0], 16) for line in d.text("symbols").splitlines()}
    memory = Memory(os.path.join(d.path, "..", "memory.ram"))
    doc = d.json("domains.json")
    ours = {c: ch["domains"] for ch in doc["chains"] for c in cpus(ch["cpus"])}
    online = cpus(d.text("online"))
    tap.ok(set(ours) == online and online, "every CPU on line has a chain")
    for cpu in sorted(online):
        base = memory.number(symbol["__per_cpu_offset"] + 8 * cpu, "<Q")
        theirs = chain(memory, (symbol["runqueues"] + base) % 2 ** 64, off)
        mine = [{k: x[k] for k in t} for x, t in zip(ours[cpu], theirs)]
        tap.ok(len(ours[cpu]) == len(theirs) and mine == theirs,
               "CPU %d: names, weights, flags and imb_numa_nr are those in memory: %s" %
               (cpu, [(t["name"], t.get("imb_numa_nr")) for t in theirs]), "numatrace: %s" % mine)
    sys.exit(tap.end())


main()
