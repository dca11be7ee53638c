"""The command line: declares what can be asked, calls the library, presents the answer."""
