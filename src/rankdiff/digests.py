"""Short digests of data: equal where the data are equal, and otherwise almost never."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import blake2b
from itertools import groupby
from typing import Any, cast
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from rankdiff.ids import as_bytes


def digest(*parts: str | NDArray[Any]) -> str:
    """Six digits that stand for texts and arrays.

    >>> digest("bm25"), digest("bm", "25") == digest("bm25")
    ('004a09', False)
    """
    state = blake2b(digest_size=3)
    for is_text, group in groupby(parts, lambda part: isinstance(part, str)):
        if is_text:
            lines = "\n".join([*cast("Iterator[str]", group), ""])
            state.update(as_bytes(lines))
        else:  # by their checksums, which are five times as quick on a rank matrix and tell as much in six digits
            state.update(b"".join(crc32(np.ascontiguousarray(part).data).to_bytes(4) for part in group))
    return state.hexdigest()
