"""`python -m pageside` is the `pageside` command."""

import sys

from pageside.cli import main

sys.exit(main())
