"""``python -m sitestrata`` is the command line."""

from sitestrata.cli import main

if __name__ == "__main__":
    main(prog_name="sitestrata")
