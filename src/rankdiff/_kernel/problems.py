"""A line that cannot be read: what both kernels raise, and the words for it."""

from __future__ import annotations

RUN_COLUMNS = "6 columns, `topic Q0 document rank score tag`, or 5 without the tag on every line"
QRELS_COLUMNS = "4 columns, `topic subtopic document grade`"
SWAPPED = "are judgments and runs in each other's place?"
READABLE = "plain text, gzip, bz2, xz and zstd can be read; UTF-16, as Windows may write it, must be made UTF-8"
SHOWN = 60


class BadLineError(Exception):
    """A line of a run or of judgments that breaks the format.

    ``kind`` is the column that is at fault (``"score"``, ``"rank"``, ``"grade"``), or ``"run columns"`` and
    ``"qrels columns"`` (then ``text`` is the line, ``count`` its columns), or ``"duplicate"`` and ``"conflict"``
    (then ``text`` is the document, ``topic`` its topic and ``count`` the line where it stood before).
    Lines are counted from 1 in the text that the kernel was given.
    """

    def __init__(self, kind: str, line: int, text: bytes, topic: bytes = b"", count: int = 0) -> None:
        super().__init__(kind, line, text, topic, count)
        self.kind, self.line, self.text, self.topic, self.count = kind, line, text, topic, count

    @property
    def comes_late(self) -> bool:
        """Whether the whole text had to be read to find it; a malformed line is reported before such a one."""
        return self.kind in ("duplicate", "conflict")

    def words(self, lines_before: int = 0) -> tuple[str, str, str, str]:
        """Problem, what was found, what was expected, and advice; ``lines_before`` precede the text."""
        if not self.comes_late and any(byte < 32 and byte not in b"\t\n\v\f\r" for byte in self.text):
            return "binary data", shown(self.text), "lines of text", READABLE
        match self.kind:
            case "run columns" | "qrels columns":
                return self._columns()
            case "duplicate":
                return (
                    f"duplicate document {shown(self.text)} in the ranking of topic {shown(self.topic)}",
                    "",
                    "",
                    f"it stood on line {self.count + lines_before}; duplicates 'first' or 'best' keeps one of them",
                )
            case "conflict":
                return (
                    f"duplicate judgment with another grade: document {shown(self.text)} of topic {shown(self.topic)}",
                    "",
                    "one grade for each topic, subtopic and document",
                    f"it stood on line {self.count + lines_before}",
                )
            case column:
                return f"the {column} is not a number", shown(self.text), "a number such as 12, -0.5, 1e-3 or inf", ""

    def _columns(self) -> tuple[str, str, str, str]:
        found = f"{self.count} column{'s' * (self.count != 1)} in {shown(self.text)}"
        if self.kind == "run columns":
            # A run that was cut short within a line has as few columns, but its second one mostly is Q0.
            judged = self.count == 4 and self.text.upper().split()[1:2] != [b"Q0"]
            return "not a line of a run", found, RUN_COLUMNS, f"judgments have 4; {SWAPPED}" if judged else ""
        return "not a judgment", found, QRELS_COLUMNS, f"runs have 6; {SWAPPED}" if self.count in (5, 6) else ""


def shown(text: bytes) -> str:
    """The text of bytes in quotation marks, cut short and without what a terminal could stumble over.

    >>> shown(b"caf\\xe9"), shown(b"x" * 100)[-6:]
    ("'caf\\\\xe9'", "xxxx…'")
    """
    readable = text[:SHOWN].decode("utf-8", "backslashreplace") + "…" * (len(text) > SHOWN)
    return "'" + "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in readable) + "'"
