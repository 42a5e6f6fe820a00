"""What can be done, in the field's words, independent of who asks in which shape."""
