"""Pictures of the overlay for the docs, made from the real thing."""
