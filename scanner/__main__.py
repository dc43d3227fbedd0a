"""`python -m scanner` is `bartizan`."""

from scanner.cli import main

if __name__ == "__main__":
    main()
