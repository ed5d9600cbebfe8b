# SPDX-License-Identifier: GPL-2.0-or-later
"""What the parts of the bench share: running things in turn, medians, and absences by name."""
import math
import os
import re
import shutil
import statistics
import subprocess
import tempfile
import time

NT = os.path.abspath("build/numatrace")
TIMEOUT = 120


class Absent(Exception):
    """Something cannot be had here; the text says what and why."""


def need(program, package):
    path = shutil.which(program)
    if not path:
        raise Absent(f"no {program} here (package {package})")
    return path


def run(argv, timeout=TIMEOUT):
    """Output, stderr included. A command that fails is an absence: its figure does not exist."""
    try:
        done = subprocess.run(argv, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, env=dict(os.environ, LC_ALL="C"),
                              timeout=timeout, text=True,
                              errors="replace", check=False)
    except (OSError, subprocess.TimeoutExpired) as e:
        raise Absent(f"{os.path.basename(argv[0])}: {e}") from e
    if done.returncode:
        last = (done.stdout.strip().splitlines() or ["no output"])[-1]
        raise Absent(f"{os.path.basename(argv[0])} ended with {done.returncode}: {last}")
    return done.stdout


def measured(options, seconds, env=None):
    """A run of numatrace on a command that sleeps: CPU seconds of both; VmRSS and VmHWM of
    numatrace at the command's end, in MiB. (A process's ru_maxrss holds its parent's.)"""
    full = dict(os.environ, LC_ALL="C", **(env or {}))
    argv = [NT, "run", "-q"] + options + ["--", "sh", "-c",
                                          f"sleep {seconds}; cat /proc/$PPID/status"]
    with tempfile.TemporaryFile() as out:
        pid = os.posix_spawn(argv[0], argv, full, file_actions=[
            (os.POSIX_SPAWN_DUP2, out.fileno(), 1), (os.POSIX_SPAWN_DUP2, out.fileno(), 2)])
        _, status, ru = os.wait4(pid, 0)
        out.seek(0)
        text = out.read().decode(errors="replace")
    if status:
        raise Absent("numatrace: " + (text.strip().splitlines() or ["no output"])[-1])
    rss, peak = (int(re.search(rf"{key}:\s+(\d+)", text)[1]) / 1024
                 for key in ("VmRSS", "VmHWM"))
    return ru.ru_utime + ru.ru_stime, rss, peak


class Spread:
    """Median of some values, with the least and the greatest."""

    def __init__(self, values):
        self.values = sorted(values)
        self.median = statistics.median(self.values)
        self.n = len(self.values)

    def interval(self):
        """Holds the true median with 95 % or more: between two of the values, by the binomial
        distribution; too few values give the least and the greatest."""
        for k in range(self.n // 2, 0, -1):
            below = sum(math.comb(self.n, i) for i in range(k)) / 2 ** self.n
            if 1 - 2 * below >= 0.95:
                return self.values[k - 1], self.values[self.n - k]
        return self.values[0], self.values[-1]

    def show(self, form="{:.3f}"):
        if self.n == 1:
            return form.format(self.median)
        low, high = self.values[0], self.values[-1]
        return f"{form.format(self.median)} ({form.format(low)} .. {form.format(high)})"


class Clock:
    """Every part has a share of the time there is; rounds are made until it is used up."""

    def __init__(self, seconds, least, most):
        self.end = time.monotonic() + seconds
        self.least, self.most = least, most

    def rounds(self):
        n, began = 0, time.monotonic()
        while n < self.most:
            per_round = (time.monotonic() - began) / n if n else 0
            if n >= self.least and time.monotonic() + per_round > self.end:
                return
            yield n
            n += 1


def cell(text):
    return str(text).replace("|", "\\|")


def table(head, rows):
    lines = ["| " + " | ".join(map(cell, head)) + " |", "|" + "---|" * len(head)]
    lines += ["| " + " | ".join(map(cell, row)) + " |" for row in rows]
    return "\n".join(lines) + "\n"


class Verdict:
    """One target of DESIGN: what it is, what was measured, and whether it was met."""

    def __init__(self, what, target, got, met, reason=""):
        self.what, self.target, self.got, self.met, self.reason = what, target, got, met, reason
