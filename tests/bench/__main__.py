"""`make bench`: what the habits cost, as ratios against something known that runs in the same minute on the same machine."""

from __future__ import annotations

import argparse
import sys

from tests.bench import clusters, collecting, judging, plans, startup

BENCHES = {
    "clusters": clusters.bench,
    "collecting": collecting.bench,
    "startup": startup.bench,
    "judging": judging.bench,
    "plans": plans.bench,
}


def main() -> int:
    parser = argparse.ArgumentParser(prog="make bench BENCH_ARGS=…", description=__doc__)
    parser.add_argument("names", nargs="*", help=f"of: {', '.join(BENCHES)}; default all")
    chosen = parser.parse_args().names or list(BENCHES)
    for name in chosen:
        if name not in BENCHES:
            parser.error(f"no bench {name}; there are {', '.join(BENCHES)}")
        print(f"== {name}")
        for line in BENCHES[name]():
            print(f"   {line}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
