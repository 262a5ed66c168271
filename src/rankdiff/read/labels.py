"""Labels: two-column files that say which group a run belongs to, or a document."""

from __future__ import annotations

import os

from rankdiff.errors import InputError
from rankdiff.read.files import text_of

Labels = dict[str, tuple[str, ...]]


def read_labels(path: str | os.PathLike[str]) -> Labels:
    """The labels of each name in a file of two columns, name and label: runs and teams, documents and providers.

    Columns stand apart by a tab, or by blanks where a line has no tab. A name may come again with another label. A
    header needs no mark: it labels a name that nothing has.
    """
    labels: Labels = {}
    for number, line in enumerate(text_of(path).splitlines(), 1):
        if not line.strip():
            continue
        fields = [field.strip() for field in (line.split("\t") if "\t" in line else line.split())]
        if len(fields) != 2 or not all(fields):
            raise InputError(
                "not a name and a label",
                source=os.fspath(path),
                line=number,
                found=f"{len(fields)} columns in {line.strip()[:60]!r}",
                expected="two columns, such as `run<TAB>team`",
            )
        name, label = fields
        if label not in labels.get(name, ()):
            labels[name] = (*labels.get(name, ()), label)
    if not labels:
        raise InputError("holds no label", source=os.fspath(path), expected="two columns, such as `run<TAB>team`")
    return labels
