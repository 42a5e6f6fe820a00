"""HTTP: it only translates. `app.py` puts a companion together."""
