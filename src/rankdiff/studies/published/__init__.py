"""Numbers that the papers print, cited so that a study can set its own beside them. A module a paper."""
