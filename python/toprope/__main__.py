"""`python -m toprope`: the same as the `toprope` command."""

import sys

from toprope.cli import main

sys.exit(main())
