"""Pure rules: no sockets, no files, no clock; what they need is passed in."""
