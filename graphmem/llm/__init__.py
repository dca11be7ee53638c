"""Language models behind their port, and what wraps them; bootstrap chooses.

The wrappers, from the outside: `cached(retrying(budgeted(model)))`. An answer that is remembered is no call,
and each attempt is one, so a budget of calls bounds the requests that leave the machine.
"""
