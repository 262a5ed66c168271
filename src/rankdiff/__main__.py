"""``python -m rankdiff`` is the command line."""

from rankdiff.cli import main

if __name__ == "__main__":
    main()
