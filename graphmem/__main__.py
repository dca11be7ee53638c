"""Makes `python -m graphmem` the same as the command `graphmem`."""

from graphmem.cli.main import main

if __name__ == "__main__":
    main()
