"""Files to per-query values with ir_measures; prints the mean of each measure over everything, to be compared."""

import sys
from pathlib import Path

import ir_measures
from ir_measures import AP, RR, P, R, nDCG

folder = Path(sys.argv[1])
measures = [AP, nDCG, nDCG @ 10, RR, P @ 10, R @ 1000]
qrels = list(ir_measures.read_trec_qrels(str(folder / "qrels.txt")))
evaluator = ir_measures.evaluator(measures, qrels)
totals = dict.fromkeys(measures, 0.0)
runs = sorted((folder / "runs").iterdir())
for path in runs:
    for metric in evaluator.iter_calc(ir_measures.read_trec_run(str(path))):
        totals[metric.measure] += metric.value
topics = len({qrel.query_id for qrel in qrels})
print(*(f"{total / len(runs) / topics:.9f}" for total in totals.values()))
