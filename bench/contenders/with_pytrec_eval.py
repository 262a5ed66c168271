"""Files to per-query values with pytrec_eval; prints the mean of each measure over everything, to be compared."""

import sys
from pathlib import Path

import pytrec_eval

folder = Path(sys.argv[1])
names = {"map": "map", "ndcg": "ndcg", "ndcg_cut.10": "ndcg_cut_10", "recip_rank": "recip_rank"}
names |= {"P.10": "P_10", "recall.1000": "recall_1000"}
with (folder / "qrels.txt").open() as file:
    qrels = pytrec_eval.parse_qrel(file)
evaluator = pytrec_eval.RelevanceEvaluator(qrels, set(names))
totals = dict.fromkeys(names.values(), 0.0)
runs = sorted((folder / "runs").iterdir())
for path in runs:
    with path.open() as file:
        run = pytrec_eval.parse_run(file)
    for values in evaluator.evaluate(run).values():
        for name in totals:
            totals[name] += values[name]
print(*(f"{total / len(runs) / len(qrels):.9f}" for total in totals.values()))
