"""Files to per-query values with rankdiff; prints the mean of each measure over everything, to be compared."""

import sys
from pathlib import Path

import rankdiff as rd

folder = Path(sys.argv[1])
c = rd.load(folder / "qrels.txt", folder / "runs", pool="--pool" in sys.argv)
scores = c.measure("AP", "nDCG", "nDCG@10", "RR", "P@10", "R@1000")
print(*(f"{values.mean():.9f}" for values in scores.values))
