"""The habits of other tools, on top of rankdiff."""
