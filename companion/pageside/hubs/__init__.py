"""Live things, one hub each; hubs do not know each other."""
