"""docs/reference/: every name that users and agents can write, made from the code that knows it."""
