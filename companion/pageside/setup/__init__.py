"""`pageside setup`: a project and its agents are connected, and all of it can be taken back."""
