"""LaTeX tables, any number of rows and columns."""

from __future__ import annotations

from rankdiff.present.cells import is_number, shown
from rankdiff.results import Table

_ESCAPES = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
    "▲": r"$\uparrow$",
    "▼": r"$\downarrow$",
    **{character: "\\" + character for character in "&%$#_{}"},
}


def to_latex(table: Table) -> str:
    r"""A ``tabular`` with the rules of the booktabs package; the notes and the signature are comments above it.

    >>> print(to_latex(Table.of(run=["BM25_tuned"], AP=[0.25])), end="")
    \begin{tabular}{lr}
    \toprule
    run & AP \\
    \midrule
    BM25\_tuned & 0.2500 \\
    \bottomrule
    \end{tabular}
    """
    columns = [values.tolist() for values in table.columns.values()]
    sides = ["r" if values and all(is_number(value) for value in values) else "l" for values in columns]
    remarks = [f"% {remark}" for remark in (table.title, *table.notes, table.signature) if remark]
    if not columns:
        return "".join(f"{remark}\n" for remark in remarks)
    lines = [
        *remarks,
        rf"\begin{{tabular}}{{{''.join(sides)}}}",
        r"\toprule",
        _row([escape(name) for name in table.columns]),
        r"\midrule",
        *(_row([escape(shown(value)) for value in row]) for row in zip(*columns, strict=True)),
        r"\bottomrule",
        r"\end{tabular}",
    ]
    return "".join(f"{line}\n" for line in lines)


def escape(text: str) -> str:
    r"""Text with what LaTeX would take for a command made harmless; a negative number gets a proper minus.

    >>> escape("50% of a_b & c"), escape("-0.5")
    ('50\\% of a\\_b \\& c', '$-$0.5')
    """
    escaped = "".join(_ESCAPES.get(character, character) for character in text)
    is_negative = text[:1] == "-" and text[1:].replace(".", "", 1).isdigit()
    return "$-$" + escaped[1:] if is_negative else escaped


def _row(cells: list[str]) -> str:
    return " & ".join(cells) + r" \\"
