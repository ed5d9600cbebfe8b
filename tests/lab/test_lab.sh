#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Real NUMA kernels in guests: the cells of tests/lab/cells. Prints TAP, a line for each cell.
# usage: test_lab.sh [ARGUMENTS OF tools/lab matrix]
set -eu
cd "$(dirname "$0")/../.."
exec tools/lab matrix "$@"
