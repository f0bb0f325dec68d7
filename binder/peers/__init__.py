"""The harness of binder/bench: our cost and a peer's, from the same run.

A folder below this one with a bench.json is a group: work that several runners do, of which each says what came of it
and how long it took. plan reads the groups and builds their runners, process talks to one, rounds measures them in
turn, report prints and stores what they took.
"""
