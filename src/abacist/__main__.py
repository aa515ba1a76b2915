"""`python -m abacist` is the command `abacist`."""

from abacist.cli.app import main

if __name__ == "__main__":
    main()
