"""python3 -m pto.codegen."""

import sys

from pto.codegen import main

sys.exit(main())
